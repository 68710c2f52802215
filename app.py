"""Entry of the app: page config and navigation."""

import streamlit as st

from components.navigation import run_page
from components.warm_up import warm_up

st.set_page_config(
    page_title="Crosshead",
    page_icon="components/icon.png",
    layout="wide",
    initial_sidebar_state=220,
)
warm_up()
run_page()
