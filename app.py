"""Entry of the app: page config and navigation."""

import streamlit as st

from components.layout import page_style
from components.navigation import PAGES, sidebar

st.set_page_config(
    page_title="Crosshead",
    page_icon=":material/table_view:",
    layout="wide",
    initial_sidebar_state=220,
)
page_style()
page = st.navigation(list(PAGES.values()), position="hidden")
sidebar()
page.run()
