-- name: insertPrepared :exec on tx
insert into prepared_work (id, professional_id, kind, rfq_id, booking_id, job_id, day, quote_id, content, created_at)
values (:id, :professional_id, :kind, :rfq_id?, :booking_id?,
  :job_id?, :day?, :quote_id?, :content::text::jsonb,
  :now)

-- name: findAssessment :one on read
select content from prepared_work
where professional_id = :professional_id and kind = 'assessment_notes'
  and (id = :id? or rfq_id = :rfq_id? or booking_id = :booking_id?
    or job_id = :job_id?)
order by created_at desc, id desc limit 1

-- name: findBasis :one on read
select content from prepared_work where professional_id = :professional_id and quote_id = :quote_id
