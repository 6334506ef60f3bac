-- Events about a pro's schedule that have left the outbox: their blocks may name customers, who can be erased (0058).
update webhook_events set aggregate_id = (body::json #>> '{data,object,professionalId}')::uuid
where aggregate_id is null and type = 'availability.updated';
