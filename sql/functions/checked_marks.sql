-- What operators checked of a pro (`verified`, `credentials`, `insurance`) holds for the name, license and insurer that they saw.
-- A change of one withdraws its mark, whatever code changes it, until an operator looks again.

-- What tells a name, number or company from another: neither case, punctuation nor white space, nor characters that are not
-- visible. Symbols do: "A" is not "A+".
create or replace function distinctive_text(given text) returns text
language sql immutable parallel safe as $$
  select lower(regexp_replace(normalize(given, nfkc),
    '[\s!"#%&''()*,./:;?@\[\\\]_{}\-\u00a1\u00a7\u00ab\u00b6\u00b7\u00bb\u00bf\u2010-\u2027\u2030-\u205e\u3001-\u3003\u3008-\u3011'
    '\u0001-\u001f\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f'
    '\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U000e0000-\U000e0fff]+', '', 'g'))
$$;

create or replace function marks_object(pro professionals) returns jsonb
language sql immutable parallel safe as $$
  select jsonb_build_object('verified', (pro).verified, 'backgroundCheck', (pro).background_check,
    'insurance', (pro).insurance, 'credentials', (pro).credentials)
$$;

-- Asks operators to look again, and tells the pro. `was` is what was checked, null for none. Test pros have no operators. The
-- time is that of the row that changed; a trigger has no caller to take it from.
create or replace function record_withdrawn_mark(
  pro professionals, mark text, was text, becomes text, as_of timestamptz
) returns void language plpgsql as $$
begin
  if (pro).test_account_id is not null then
    return;
  end if;
  insert into verification_requests as v (professional_id, withdrawn, asked_at)
  values ((pro).id, jsonb_build_object(mark, was), as_of)
  on conflict (professional_id) do update set
    withdrawn = v.withdrawn || excluded.withdrawn,
    asked_at = case when v.refused_at is null then v.asked_at else excluded.asked_at end,
    refusal = null, refused_at = null;
  insert into operator_actions (action, subject_id, professional_id, details, at)
  values ('pro.marks_withdrawn', (pro).id, (pro).id,
    jsonb_build_object('mark', mark, 'was', was, 'becomes', becomes, 'after', marks_object(pro)), as_of);
  insert into notices (account_id, kind, data, created_at)
  values ((pro).account_id, 'mark_withdrawn', jsonb_build_object('mark', mark, 'was', was), as_of);
end $$;

-- A statement that sets the mark itself says what was checked: those of a reset of test pros.
create or replace function withdraw_checked_name() returns trigger language plpgsql as $$
begin
  new.verified := false;
  perform record_withdrawn_mark(new, 'verified', old.business_name, new.business_name,
    new.updated_at);
  return new;
end $$;

create or replace trigger checked_name_changed before update of business_name on professionals
  for each row when (old.verified and new.verified
    and distinctive_text(old.business_name) <> distinctive_text(new.business_name))
  execute function withdraw_checked_name();

-- A first license or insurer is a change, too: the mark was not given for it.
create or replace function withdraw_checked_papers() returns trigger language plpgsql as $$
declare
  of_id uuid := coalesce(new.professional_id, old.professional_id);
  old_license text := old.license_number || ' (' || old.license_state || ')';
  new_license text := new.license_number || ' (' || new.license_state || ')';
  is_other_license boolean := distinctive_text(old_license) is distinct from distinctive_text(new_license);
  is_other_insurer boolean := distinctive_text(old.insurance_carrier) is distinct from distinctive_text(new.insurance_carrier);
  as_of timestamptz := coalesce(new.updated_at, old.updated_at);
  before professionals;
  pro professionals;
begin
  if not (is_other_license or is_other_insurer) then
    return null;
  end if;
  select * into before from professionals p where p.id = of_id for no key update;
  update professionals p set
    credentials = p.credentials and not is_other_license, insurance = p.insurance and not is_other_insurer,
    updated_at = greatest(p.updated_at, as_of)
  where p.id = of_id and (p.credentials and is_other_license or p.insurance and is_other_insurer)
  returning p.* into pro;
  if pro.id is null then
    return null;
  end if;
  if before.credentials and is_other_license then
    perform record_withdrawn_mark(pro, 'credentials', old_license, new_license, as_of);
  end if;
  if before.insurance and is_other_insurer then
    perform record_withdrawn_mark(pro, 'insurance', old.insurance_carrier, new.insurance_carrier, as_of);
  end if;
  return null;
end $$;

create or replace trigger checked_papers_changed
  after insert or delete or update of license_number, license_state, insurance_carrier on pro_business_entities
  for each row execute function withdraw_checked_papers();
