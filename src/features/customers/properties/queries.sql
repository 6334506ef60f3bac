-- name: insertProperty :one on tx
insert into properties as p (id, account_id, name, street, city, state, zip_code, bedrooms, bathrooms,
  area_square_feet, access_notes, created_at, updated_at)
values (:id, :account_id, :name, :street, :city, :state,
  :zip_code, :bedrooms?, :bathrooms?, :area_square_feet?, :access_notes?,
  :now, :now)
returning property_object(p) as property

-- name: updateProperty :one on write
update properties p set name = :name, street = :street, city = :city,
  state = :state, zip_code = :zip_code, bedrooms = :bedrooms?,
  bathrooms = :bathrooms?, area_square_feet = :area_square_feet?,
  access_notes = :access_notes?, updated_at = :now
where p.id = :id and p.account_id = :account_id
returning property_object(p) as property

-- name: findProperty :one on read
select property_object(p) as property from properties p where p.id = :id and p.account_id = :account_id

-- name: deleteProperty :many on write
delete from properties where id = :id and account_id = :account_id returning id

-- name: selectProperties :one on read
-- not null: total
select (select count(*) from properties where account_id = :account_id)::integer as total,
  coalesce((
    select json_agg(property_object(p) order by p.created_at desc, p.id desc)
    from (
      select * from properties where account_id = :account_id
      order by created_at desc, id desc limit :limit offset :offset
    ) page join properties p on p.id = page.id), '[]') as properties
