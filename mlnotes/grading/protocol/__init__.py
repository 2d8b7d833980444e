"""The conversation with a student's process: wire format, worker, session, proxies, values."""
