"""Static files under names that carry their hash, imports inside JavaScript modules included."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedStorage(CompressedManifestStaticFilesStorage):
    """A browser may keep every file for ever, and never mixes the modules of two versions."""

    support_js_module_import_aggregation = True
