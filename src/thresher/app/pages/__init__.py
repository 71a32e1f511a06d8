"""The pages of the app, one a module: plain async handlers, which `thresher.app.routes` lists."""
