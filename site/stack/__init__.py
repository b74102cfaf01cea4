"""The embedded default: Postgres and Valkey from wheels, and `manage.py up`, which runs everything as one."""
