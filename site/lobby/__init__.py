"""Finding opponents: tables that fill up, challenges, links, quick match, and the page that shows them."""
