-- name: findPublicTexts :one on read
select headline, about, highlights, service_areas, languages, faq from pro_public_profiles
where professional_id = :professional_id

-- name: savePublicTexts :exec on tx
insert into pro_public_profiles (professional_id, headline, about, highlights, service_areas, languages, faq, updated_at)
values (:professional_id, :headline?, :about?, :highlights, :service_areas?, :languages,
  :faq::text::jsonb, :now)
on conflict (professional_id) do update set
  headline = excluded.headline, about = excluded.about, highlights = excluded.highlights,
  service_areas = excluded.service_areas, languages = excluded.languages, faq = excluded.faq, updated_at = excluded.updated_at

-- name: findBusinessEntity :one on read
select e.legal_name, e.license_number, e.license_state, e.founded_year, e.insurance_carrier, p.phone, p.website
from professionals p left join pro_business_entities e on e.professional_id = p.id
where p.id = :professional_id

-- name: saveBusinessEntity :exec on tx
insert into pro_business_entities (professional_id, legal_name, license_number, license_state, founded_year,
  insurance_carrier, updated_at)
values (:professional_id, :legal_name?, :license_number?, :license_state?,
  :founded_year?, :insurance_carrier?, :at)
on conflict (professional_id) do update set
  legal_name = excluded.legal_name, license_number = excluded.license_number,
  license_state = excluded.license_state, founded_year = excluded.founded_year,
  insurance_carrier = excluded.insurance_carrier, updated_at = excluded.updated_at

-- name: saveContact :exec on tx
update professionals set phone = :phone?, website = :website?, updated_at = :at
where id = :professional_id and (phone, website) is distinct from (:phone?, :website?)

-- name: findSiteConfig :one on read
-- shape: sections
select theme_color, hero_title, hero_text, call_to_action, call_to_action_label, sections from pro_site_configs
where professional_id = :professional_id

-- name: saveSiteConfig :exec on tx
insert into pro_site_configs (professional_id, theme_color, hero_title, hero_text, call_to_action,
  call_to_action_label, sections, updated_at)
values (:professional_id, :theme_color?, :hero_title?, :hero_text?, :call_to_action?,
  :call_to_action_label?, :sections, :now)
on conflict (professional_id) do update set
  theme_color = excluded.theme_color, hero_title = excluded.hero_title, hero_text = excluded.hero_text,
  call_to_action = excluded.call_to_action, call_to_action_label = excluded.call_to_action_label,
  sections = excluded.sections, updated_at = excluded.updated_at

-- name: isState :many on tx
select from states where code = :code and country = marketplace_country()
