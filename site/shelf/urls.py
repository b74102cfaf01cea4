"""The addresses of the shelf: one's lists, collections, and what is done about one match."""

from __future__ import annotations

from django.urls import path

from shelf.views import acts, collections, lists

urlpatterns = [
    path("shelf/", lists.favourites, name="shelf"),
    path("shelf/tags/", lists.tags, name="shelf_tags"),
    path("shelf/tags/rename/", lists.rename, name="shelf_tag_rename"),
    path("shelf/comments/", lists.written, name="shelf_comments"),
    path("shelf/comments/<int:comment_id>/", acts.comment, name="shelf_comment"),
    path("shelf/collections/", collections.own, name="shelf_collections"),
    path("shelf/collections/new/", collections.new, name="collection_new"),
    path("shelf/public/", collections.public, name="shelf_public"),
    path("shelf/c/<str:token>/", collections.collection, name="collection"),
    path("shelf/c/<str:token>/edit/", collections.edit, name="collection_edit"),
    path("shelf/c/<str:token>/delete/", collections.delete, name="collection_delete"),
    path("shelf/c/<str:token>/<int:item_id>/<slug:change>/", collections.item, name="collection_item"),
    path("shelf/<slug:kind>/<str:key>/", acts.show, name="shelf_one"),
    path("shelf/<slug:kind>/<str:key>/<slug:act>/", acts.act, name="shelf_act"),
]
