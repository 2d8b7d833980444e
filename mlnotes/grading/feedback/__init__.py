"""What students read: diagnosis, smallest counterexample, replay, reports, pages."""
