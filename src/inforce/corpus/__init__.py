"""Where the law comes from: the store, the loaders that fill it, the doctor that examines it."""
