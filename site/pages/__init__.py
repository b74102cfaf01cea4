"""The pages people read and the commands people run: put together from the other apps, holding nothing of their own."""
