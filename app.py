"""Entry of the app: page config and navigation."""

import streamlit as st

from components.navigation import PAGES, sidebar

st.set_page_config(page_title="Crosshead", page_icon=":material/table_view:", layout="wide")
page = st.navigation(list(PAGES.values()), position="hidden")
sidebar()
page.run()
