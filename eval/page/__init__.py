"""An experiment as one page that needs nothing else: tables, charts, and every transcript."""
