-- A replica has no file for an unlogged sequence: after its promotion every insert failed. The tables stay unlogged.
alter sequence trace_parts_id_seq set logged;
alter sequence process_reports_id_seq set logged;
