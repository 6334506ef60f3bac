-- Notifications of providers are forgotten from the oldest on.
create index payment_notifications_age on payment_notifications (received_at);
