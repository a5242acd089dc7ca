// Names without hashes: the program tags each file with a hash of its content (scripts/embed-files).
export default {
  base: "/",
  build: {
    target: "es2022",
    emptyOutDir: false,
    assetsInlineLimit: 0,
    modulePreload: false,
    rollupOptions: {
      output: { entryFileNames: "app.js", chunkFileNames: "[name].js", assetFileNames: "app[extname]" },
    },
  },
};
