-- Release 0.1.0 keeps its record in schema_migrations; later releases keep theirs in schema_files, which `migrate` creates. So
-- that 0.1.0 runs on this schema (its readiness and its `migrate` compare checksums), the older record says exactly what
-- 0.1.0 contains, and never changes again. Release 0.3.0 may drop it.
create table if not exists schema_migrations (
  name text primary key, checksum text not null, applied_at timestamptz not null default now()
);
insert into schema_migrations (name, checksum)
  select name, checksum from schema_files where name like 'migrations/%' and name < 'migrations/0062'
  on conflict (name) do nothing;
delete from schema_migrations where name like 'functions/%' or name >= 'migrations/0062';
insert into schema_migrations (name, checksum) values
  ('functions/block_object.sql', 'ba0b9c946a8ce76a303a1f5b00aa75f59938321246ec9c9889b443bd3d3c8f90'),
  ('functions/bookable.sql', 'e64abc004a3f1c5c9719f7020077d4e0aa7da755bec204ac25d7a94e99a881c2'),
  ('functions/booking_object.sql', '20854882b94ba76808a4c2781f57b0f7eeaad12e6ff4c8f48791abae90c883d0'),
  ('functions/busy_time.sql', '500c7042f30b35706389b125d85f2c6b6946bd16a8d63b35ead7e1caaa2cbf57'),
  ('functions/claim_deliveries.sql', '64a9cdabccd8809e9dac7d4ddadcf3bcbe0cd22fe5810bee50fbf9b6e964bfcd'),
  ('functions/delivery_object.sql', '9e3b5bbcfdcc169dcd1becadd18e509e426a44e968cd5f5ebb84cfd599b2d04a'),
  ('functions/dollars.sql', 'fafdc73c28a5b608e26bd4547bcafbd057d7904afa14ef23ddae76ef151b54e2'),
  ('functions/emit_event.sql', '1833b1c27fe415b7327437f9b3124847e6ff7f8a71005f8000f1f10450bc9b8b'),
  ('functions/expire_quotes.sql', '2d3665f7a7f99e5387ddc5089d9f31fdef2cc612df63a8a6624540ee5d2fddf1'),
  ('functions/finish_attempts.sql', '9c6b03ccc3e8687a8ee2e209e152b473489caa4066c6b6c6d60aa316612cc01b'),
  ('functions/free_deliveries.sql', '0b091e365b28c1dcc4eacce95bd34be92c2f04e6392a28ef3059c96096ec9e0a'),
  ('functions/idempotency.sql', '0cc619bf4b35d91afd09bc3032c2542ff588a053bc7cf9bcfa0d464f005ef04b'),
  ('functions/iso_instant.sql', 'f49980d70779747fc1d2bc76e79d3d6bd203d349661f61b8000fd9faef6308af'),
  ('functions/job_object.sql', '4762dbeb00b55d5063895569823c7cbdf7ecfa7a2b1f502ae67a576998b16de4'),
  ('functions/lapse_holds.sql', '21cd79ff6675c6e70b51ae08c3d0a478f196d7857ce4c724802255c07ee99f85'),
  ('functions/local_instant.sql', 'fbfa3dd2d2dce5a9d32bb78d9311221e3d976da01d3d4f57c36ca4cf9f408831'),
  ('functions/lock_schedule.sql', '75f299fa4402c8e4c6cd3619f7b17c1c834fe100f1dc65dc6ddd2de60b7ca833'),
  ('functions/metering.sql', 'a8ba57fb6e719d0590da68a9d0a77eb0222b9f19f5375cfecb9f3cac14c69228'),
  ('functions/month_partitions.sql', 'fad0dbe51b44d280d1762412bb2fb417a96bc3af11638c45c95abc5bb03a7e0e'),
  ('functions/move_booking.sql', 'e9b57f1094b7ecb6d8a4d0b1cc118099adb4a6d9bd113c0998be82bc4fa1e58c'),
  ('functions/next_open_slot.sql', 'cdec2e96bd4a13eac69e4035b4b9dfae3b5480745c5723cf03afb52e47fde05d'),
  ('functions/open_slots.sql', 'a2130a1c72095eaa53e777d6ad6832edc9c088a20a6e75b486e4006d9cbbc194'),
  ('functions/package_object.sql', '9607e0cae1ef66228831d8a8b1c2c735dcda19be7d15f6f145a92eead62399c7'),
  ('functions/payments.sql', 'b1ac5dbb15851f8e7a77a0a2e251e5e6e354069594adeee343fac5fd4da2bb21'),
  ('functions/plan_deliveries.sql', 'ef6f78cb55dfeb1a2d86f01b67845d00e4637688c18e90fdda1ade2e427e13a3'),
  ('functions/price_points.sql', 'b989015ed96c32560e98d0b216e0ee14da3e5175e70ab8083538e55259644f17'),
  ('functions/property_object.sql', '71c1c9ca34f4012164227ded62a81d050ca1a81702957bd8021ec6fdd1e9b81d'),
  ('functions/proposals.sql', '4049f4980e7ba5942f8651dd69d4d5786c9faebcda4f23b3bd233ba9d2818f14'),
  ('functions/propose_time.sql', '73a3f7c90b4bd60b3789ab73a1425ff105840a31c5483eb0d83704555c6fdf21'),
  ('functions/quote_object.sql', '93f5b21cfbb07f3baa6dfd5b78a8c0999a6e1a5d4a76b183a3774092f234b969'),
  ('functions/refresh_changed_prices.sql', '114dfb461f23c43a3e2f5ae9b6a43b42cd8096a72b6efa6b1598cb6520bc75ba'),
  ('functions/refresh_pricing.sql', 'f527b5f7f0f1fccc1e08ec7c2b79ea46312717d6fb5462856ed655e5d0161f8e'),
  ('functions/reserve_slot.sql', '5d86c37e3260c54451e9d531fe86d11c5d7fb59a648247967f3c4486df8caa82'),
  ('functions/review_object.sql', 'adc4d4a705fc562c74da650c5bd89be3e3ed76f09eb591b251400462dccb0bf0'),
  ('functions/review_stats.sql', '287db2b5902d321e884050ee46f2e678522fad0ede6e6590914646aa2b2bd473'),
  ('functions/rfq_object.sql', 'a4dcd2d384554afe47ad8c1ce417d910abd83dbdc37697ac7b759655bb19355f'),
  ('functions/search_grid.sql', '4609b5911fd6cf66c1d1de2ba69458afc12ccbc00ce2de7207e6a4d360739562'),
  ('functions/search_pro_rows.sql', 'b8dfacaddae6d0918da83750e5daa61db6951d3d8eb41d228d9b3f2b4f27bdfb'),
  ('functions/search_rebuild.sql', '91fce65c230df7fa11c7a43006d3ecdb6ca6972a6c07586087cef537e6ea0fda'),
  ('functions/search_refresh.sql', '80764ed95c988479c99304bbefeeaae528900b6f163b4270c1fdda3236addb81'),
  ('functions/search_upgrade.sql', '7d832131f68a27e0e15335a0d46d5c852d3bebf0f842c825a7b9eca832f4d73f'),
  ('functions/slot_fits.sql', 'c6bcdfa0972051fcbdafbbe15a233c6127e4a708017e2dab5550f61dfd910640'),
  ('functions/webhook_body.sql', 'ba03d6218de24d3e40e0975e1d0acab6a58fd83c0440e0858296f572e76c045a'),
  ('functions/working_time.sql', 'dbff94adb26d6af6de9c590f9d452fb1fcc09324aa0101b5706812f48fbda0ef');
