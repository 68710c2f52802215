"""Entry of the app."""

from components.navigation import run_page
from components.warm_up import warm_up

warm_up()
run_page()
