-- The name of a review's author for the public: first name and initial, "Maria G.". A name that contains an e-mail address
-- is not shown.
create or replace function published_name(name text) returns text
  language sql stable parallel safe as $$
  select case when strpos(name, '@') > 0 then 'Customer' else concat_ws(' ',
    coalesce(substring(name from '[^[:space:],;]+'), 'Customer'),
    upper(substring(name from '[[:space:],;][[:punct:]]*([^[:punct:][:space:]])[^[:space:],;]*[[:space:],;]*$')) || '.') end
$$;

-- A review in lists (section 2 of the API). `project` is the name of the reviewed job's service. A score that was not given
-- is shown as the rating, because the list promises integers; `scoresGiven` names those that were given. A single
-- expression, so that the planner can inline the function.
create or replace function review_object(review reviews, project text) returns json
  language sql stable parallel safe as $$
  select json_build_object(
    'id', (review).id,
    'rating', (review).rating,
    'title', (review).title,
    'content', (review).content,
    'scores', json_build_object(
      'punctuality', coalesce((review).punctuality, (review).rating),
      'communication', coalesce((review).communication, (review).rating),
      'quality', coalesce((review).quality, (review).rating),
      'value', coalesce((review).value, (review).rating)),
    'scoresGiven', to_json(array_remove(array[
      case when (review).punctuality is not null then 'punctuality' end,
      case when (review).communication is not null then 'communication' end,
      case when (review).quality is not null then 'quality' end,
      case when (review).value is not null then 'value' end], null)),
    'author', published_name((review).customer_name),
    'isVerified', (review).verified,
    'helpful', json_build_object('yes', (review).helpful_yes, 'no', (review).helpful_no),
    'photos', (review).photos,
    'project', case when (review).job_id is not null then
      json_build_object('id', (review).job_id, 'title', coalesce(project, 'Project')) end,
    'proResponse', case when (review).response is not null then
      json_build_object('content', (review).response, 'date', iso_instant((review).responded_at)) end,
    'createdAt', iso_instant((review).created_at))
$$;

-- A review as its pro, moderators and events see it: with the author's full name and the moderator's decision.
create or replace function review_record(review reviews) returns jsonb
  language plpgsql stable parallel safe as $$
begin
  return (
    select jsonb_build_object(
        'status', review.status,
        'bookingId', review.booking_id,
        'professional', jsonb_build_object('id', p.id, 'slug', p.slug, 'businessName', p.business_name),
        'approvedAt', iso_instant(review.approved_at),
        'rejectedAt', iso_instant(review.rejected_at),
        'rejectionReason', review.rejection_reason)
      || review_object(review, s.name)::jsonb
      || jsonb_build_object(
        'author', case when strpos(review.customer_name, '@') > 0 then 'Customer' else review.customer_name end)
    from professionals p
    left join jobs j on j.professional_id = review.professional_id and j.id = review.job_id
    left join services s on s.id = j.service_id
    where p.id = review.professional_id);
end $$;
