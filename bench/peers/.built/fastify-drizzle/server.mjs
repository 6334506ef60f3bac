// bench/peers/fastify-drizzle/server.ts
import { drizzle } from "drizzle-orm/node-postgres";
import Fastify from "fastify";
import pg from "pg";

// bench/peers/fastify-drizzle/search.ts
import { and, asc, eq, getTableColumns, sql } from "drizzle-orm";

// bench/peers/fastify-drizzle/schema.ts
import { boolean, customType, doublePrecision, integer, pgSchema, primaryKey, text, uuid } from "drizzle-orm/pg-core";
var peer = pgSchema("peer");
var geography = customType({ dataType: () => "geography(point, 4326)" });
var professionals = peer.table("professionals", {
  id: uuid().primaryKey(),
  slug: text().notNull(),
  businessName: text("business_name").notNull(),
  description: text(),
  verified: boolean().notNull(),
  rating: doublePrecision(),
  reviewCount: integer("review_count").notNull(),
  instantBookingEnabled: boolean("instant_booking_enabled").notNull(),
  city: text().notNull(),
  state: text().notNull(),
  latitude: doublePrecision().notNull(),
  longitude: doublePrecision().notNull(),
  location: geography().notNull()
});
var services = peer.table("services", {
  id: uuid().primaryKey(),
  slug: text().notNull(),
  name: text().notNull(),
  category: text().notNull()
});
var professionalServices = peer.table("professional_services", {
  professionalId: uuid("professional_id").notNull(),
  serviceId: uuid("service_id").notNull(),
  minPrice: doublePrecision("min_price"),
  maxPrice: doublePrecision("max_price")
}, (table) => [primaryKey({ columns: [table.professionalId, table.serviceId] })]);

// bench/peers/fastify-drizzle/search.ts
var METRES_PER_MILE = 1609.344;
function searches(db, baseUrl) {
  const point = sql`st_point(${sql.placeholder("lng")}::float8, ${sql.placeholder("lat")}::float8, 4326)::geography`;
  const metres = sql`st_distance(${professionals.location}, ${point}, false)`;
  const isNear = sql`st_dwithin(${professionals.location}, ${point}, ${sql.placeholder("metres")}::float8, false)`;
  const { location: _, ...columns } = getTableColumns(professionals);
  const wanted = { ...columns, metres, total: sql`(count(*) over ())::integer` };
  const page = { limit: sql.placeholder("limit"), offset: sql.placeholder("offset") };
  const everyPro = db.select(wanted).from(professionals).where(isNear).orderBy(asc(metres), asc(professionals.id)).limit(page.limit).offset(page.offset).prepare("every_pro");
  const ofService = db.select(wanted).from(professionals).innerJoin(professionalServices, eq(professionalServices.professionalId, professionals.id)).innerJoin(services, eq(services.id, professionalServices.serviceId)).where(and(isNear, eq(services.slug, sql.placeholder("service")))).orderBy(asc(metres), asc(professionals.id)).limit(page.limit).offset(page.offset).prepare("of_service");
  const offered = db.select({
    professionalId: professionalServices.professionalId,
    service: services,
    min: professionalServices.minPrice,
    max: professionalServices.maxPrice
  }).from(professionalServices).innerJoin(services, eq(services.id, professionalServices.serviceId)).where(sql`${professionalServices.professionalId} = any(${sql.placeholder("ids")}::uuid[])`).prepare("offered");
  return async ({ radius, limit, offset, ...asked }) => {
    const parameters = { ...asked, limit, offset, metres: radius * METRES_PER_MILE };
    const found = await (asked.service === undefined ? everyPro : ofService).execute(parameters);
    const ids = found.map(({ id }) => id);
    const offers = ids.length === 0 ? [] : await offered.execute({ ids });
    const total = found[0]?.total ?? 0;
    return {
      professionals: found.map((pro) => present(pro, offers.filter(({ professionalId }) => professionalId === pro.id), baseUrl)),
      meta: { total, limit, offset, hasMore: offset + found.length < total }
    };
  };
}
function present({ metres, city, state, latitude, longitude, ...pro }, offers, baseUrl) {
  const prices = offers.flatMap(({ min, max }) => min === null || max === null ? [] : [min, max]);
  const profileUrl = `${baseUrl}/pros/${pro.slug}`;
  return {
    ...pro,
    categories: [...new Set(offers.map(({ service }) => service.category))],
    services: offers.map(({ service: { id, name, slug } }) => ({ id, name, slug })),
    pricing: prices.length === 0 ? null : { min: Math.min(...prices), max: Math.max(...prices), currency: "USD" },
    location: { city, state, latitude, longitude },
    distance: Math.round(metres / METRES_PER_MILE * 100) / 100,
    profileUrl,
    bookingUrl: pro.instantBookingEnabled ? `${profileUrl}/book` : null
  };
}

// bench/peers/fastify-drizzle/server.ts
var { PORT, DATABASE_URL } = process.env;
var baseUrl = `http://127.0.0.1:${PORT}`;
var pool = new pg.Pool({ connectionString: DATABASE_URL, max: 8 });
var search = searches(drizzle({ client: pool }), baseUrl);
var string = { type: "string" };
var number = { type: "number" };
var integer2 = { type: "integer" };
var boolean2 = { type: "boolean" };
var optional = (schema) => ({ ...schema, nullable: true });
var object = (properties) => ({ type: "object", properties });
var Professional = object({
  id: string,
  slug: string,
  businessName: string,
  description: optional(string),
  verified: boolean2,
  rating: optional(number),
  reviewCount: integer2,
  categories: { type: "array", items: string },
  services: { type: "array", items: object({ id: string, name: string, slug: string }) },
  pricing: optional(object({ min: number, max: number, currency: string })),
  location: object({ city: string, state: string, latitude: number, longitude: number }),
  distance: number,
  instantBookingEnabled: boolean2,
  profileUrl: string,
  bookingUrl: optional(string)
});
var app = Fastify({ logger: false });
app.get("/health", () => ({ ok: true }));
app.get("/api/v1/pros", {
  schema: {
    querystring: {
      type: "object",
      required: ["lat", "lng"],
      properties: {
        service: { type: "string", maxLength: 200 },
        lat: { type: "number", minimum: -90, maximum: 90 },
        lng: { type: "number", minimum: -180, maximum: 180 },
        radius: { type: "integer", minimum: 1, maximum: 500, default: 25 },
        limit: { type: "integer", minimum: 1, maximum: 50, default: 20 },
        offset: { type: "integer", minimum: 0, default: 0 }
      }
    },
    response: {
      200: object({
        professionals: { type: "array", items: Professional },
        meta: object({ total: integer2, limit: integer2, offset: integer2, hasMore: boolean2 })
      })
    }
  }
}, ({ query }) => search(query));
await app.listen({ port: Number(PORT), host: "127.0.0.1" });
process.on("SIGTERM", () => void app.close().then(() => process.exit(0)));
