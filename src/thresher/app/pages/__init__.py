"""Pages of the app, one module each: async handlers, listed in `thresher.app.server`."""
