"""Tests of people: names, guests, sign-in, and the look of the pages."""
