"""What one uses on data: scikit-learn's conventions, checked input, a certificate with every fit."""
