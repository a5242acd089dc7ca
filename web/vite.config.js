// Names without hashes: the files are compiled into the program, which sends them uncached.
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
