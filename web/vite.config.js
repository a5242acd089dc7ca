// Names without hashes: the program tags each file with a hash of its content (scripts/embed-files).
// Addresses are relative, so that a copy of the files works under any path (scripts/build-site).
export default {
  base: "./",
  build: {
    target: "es2022",
    emptyOutDir: false,
    assetsInlineLimit: 0,
    modulePreload: false,
    rollupOptions: {
      output: { entryFileNames: "app.js", chunkFileNames: "[name].js", assetFileNames: "app[extname]" },
    },
  },
  worker: {
    format: "es",
    rollupOptions: { output: { entryFileNames: "worker.js" } },
  },
};
