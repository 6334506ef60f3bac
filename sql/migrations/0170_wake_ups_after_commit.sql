-- Wake-ups of the relay are sent after commits (sql/functions/wake_ups.sql), so a busy relay need not turn them off.
comment on table outbox_relay is 'Unused since 0.2.0.';
