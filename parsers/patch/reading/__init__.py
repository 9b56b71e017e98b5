"""From the text of a model to the changes it asks for, in whichever format it writes them."""
