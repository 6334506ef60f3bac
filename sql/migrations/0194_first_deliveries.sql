-- Attempts get partitions by week: the next two files. This constraint lets the present ones become a partition without being
-- read while writers wait.
-- 0.1.0 runs with this: ids of deliveries count from 1, and reach it only when they are moved on for the new partitions.
alter table webhook_attempts add constraint webhook_attempts_first_ids check (delivery_id < 10000000000) not valid;
