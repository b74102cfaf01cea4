"""What workers do for notices: tell, mail, push, remind, and the daily round."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from notices import digests, reminders, rows, sending, telling


@shared_task
def tell(row_id: int) -> None:
    """Work out whom an event concerns, and ask for what each wants of it."""
    rows.carry_out(row_id, telling.tell)


@shared_task
def remind(row_id: int) -> None:
    """Remind somebody whose time runs out, or wait on."""
    rows.carry_out(row_id, reminders.remind)


@shared_task
def mail(row_id: int) -> None:
    """Send a mail."""
    rows.carry_out(row_id, sending.send_mail)


@shared_task
def push(row_id: int) -> None:
    """Send a push."""
    rows.carry_out(row_id, sending.send_push)


@shared_task
def round_of_the_day() -> None:
    """Ask for the daily mails that are due, and forget old notices."""
    digests.ask_for_all(timezone.now())
    digests.prune(timezone.now())
