"""What Streamlit draws; the library behind it is qa_core."""
