-- The digest that a recipient's further messages join until it is claimed.
create unique index concurrently if not exists messages_open_digest on messages (recipient)
  where kind = 'digest' and status = 'pending' and attempts = 0;
