// The table of contents of the HTTP interface.
import './platform/schema/types.ts'

import { Elysia } from 'elysia'

import { agentCatalogEntries } from './mcp/server/cards.ts'
import { agentCards, agentRoutes } from './mcp/routes.ts'
import type { Deps } from './deps.ts'
import { analyticsRoutes } from './features/business/analytics/routes.ts'
import { availabilityRoutes } from './features/calendar/availability/routes.ts'
import { bookingRoutes } from './features/booking/bookings/routes/bookings.ts'
import { proBookingRoutes } from './features/booking/bookings/routes/pro.ts'
import { catalogRoutes } from './features/catalog/services/routes.ts'
import { customerBlockRoutes } from './features/booking/customer-blocks/routes.ts'
import { fileContent, fileRoutes } from './features/files/files/routes.ts'
import { operatorCatalogRoutes } from './features/catalog/operator-catalog/routes.ts'
import { operatorProRoutes } from './features/business/operator-pros/routes.ts'
import { pictureRoutes } from './features/files/pictures/routes.ts'
import { importedCalendarRoutes } from './features/calendar/imported-calendars/routes.ts'
import { memberRoutes } from './features/business/members/routes.ts'
import { packageRoutes } from './features/business/packages/routes.ts'
import { paymentRoutes } from './features/money/checkout/routes.ts'
import { jobRoutes } from './features/booking/jobs/routes.ts'
import { proposalRoutes } from './features/agents/proposals/routes.ts'
import { pricingRoutes } from './features/catalog/pricing/routes.ts'
import { offerChangeRoutes, offerRoutes } from './features/business/offers/routes.ts'
import { profileRoutes } from './features/business/profile/routes.ts'
import { propertyRoutes } from './features/customers/properties/routes.ts'
import { findExampleFacts } from './features/search/pros/verbs/example-facts.ts'
import { proRoutes, publicProfileRoutes } from './features/search/pros/routes.ts'
import { proReviewRoutes, reviewRoutes } from './features/reviews/reviews/routes.ts'
import { scheduleRoutes } from './features/calendar/schedule/routes.ts'
import { storefrontRoutes } from './features/business/storefront/routes.ts'
import { getMarketplace } from './features/upkeep/marketplace/verbs.ts'
import { operatorMarketplaceRoutes } from './features/upkeep/operator-marketplace/routes/marketplace.ts'
import { operatorPlaceRoutes } from './features/upkeep/operator-marketplace/routes/places.ts'
import { webhookRoutes } from './webhooks/endpoints/routes.ts'
import { quoteLinkRoutes } from './features/quoting/quotes/routes/customer.ts'
import { draftRoutes, proQuoteRoutes } from './features/quoting/quotes/routes/pro.ts'
import { leadRoutes } from './features/quoting/rfqs/routes/leads.ts'
import { rfqRoutes } from './features/quoting/rfqs/routes/rfqs.ts'
import { REST_API, apiCatalog } from './http/api-catalog.ts'
import { health } from './http/health.ts'
import { currentDocument } from './http/openapi/current-document.ts'
import { buildDocument, openapi } from './http/openapi/openapi.ts'
import { oauthMetadata } from './http/oauth/metadata.ts'
import { oauthRoutes } from './http/oauth/routes.ts'
import { webhookPathItems } from './webhooks/endpoints/openapi.ts'
import { otherMethods } from './http/other-methods.ts'
import { guard } from './http/guard.ts'
import { documentRoute } from './http/headers.ts'
import { type Instruments, instrumentation } from './http/instrumentation.ts'
import type { DescribedRoute } from './http/openapi/operation.ts'
import { errorResponses } from './http/problem.ts'
import { apiDocs } from './web/public/api-docs/routes.ts'
import { webPages } from './web/routes.ts'
import { errorPage } from './web/ui/error-page.tsx'

/** The application: every route, without a listening socket. Without `instruments` nothing is traced or measured. */
export function createApp(deps: Deps, instruments?: Instruments) {
  const { config } = deps
  let routes: readonly DescribedRoute[] = []
  // A Host header may be one letter; Elysia's default looks for the path after eleven characters.
  const app = new Elysia({ name: 'hearth', normalize: false, handler: { standardHostname: false } })
    .use(instruments && instrumentation(deps, instruments, () => routes))
    .use(errorResponses(deps, errorPage(deps)))
    .use(guard(deps))
    .guard(documentRoute(), (documents) =>
      documents
        .use(apiCatalog({ ...config, entries: [REST_API, ...agentCatalogEntries(config)] }))
        .use(agentCards(deps))
        .use(oauthMetadata(deps)),
    )
    .use(oauthRoutes(deps))
    .use(health(deps))
    .use(webPages(deps))
    .use(paymentRoutes(deps))
    .use(offerChangeRoutes(deps))
    .use(fileContent(deps))
    .use(agentRoutes(deps))
    .group('/api/v1', (api) =>
      api
        .use(catalogRoutes(deps))
        .use(proRoutes(deps))
        .use(publicProfileRoutes(deps))
        .use(pricingRoutes(deps))
        .use(availabilityRoutes(deps))
        .use(bookingRoutes(deps))
        .use(proBookingRoutes(deps))
        .use(customerBlockRoutes(deps))
        .use(importedCalendarRoutes(deps))
        .use(memberRoutes(deps))
        .use(scheduleRoutes(deps))
        .use(profileRoutes(deps))
        .use(offerRoutes(deps))
        .use(storefrontRoutes(deps))
        .use(proposalRoutes(deps))
        .use(config.features.has('FEATURE_OFFER_PACKAGES') ? packageRoutes(deps) : undefined)
        .use(config.features.has('FEATURE_CLIENT_PROPERTIES') ? propertyRoutes(deps) : undefined)
        .use(rfqRoutes(deps))
        .use(leadRoutes(deps))
        .use(proQuoteRoutes(deps))
        .use(draftRoutes(deps))
        .use(quoteLinkRoutes(deps))
        .use(jobRoutes(deps))
        .use(fileRoutes(deps))
        .use(pictureRoutes(deps))
        .use(reviewRoutes(deps))
        .use(proReviewRoutes(deps))
        .use(analyticsRoutes(deps))
        .use(webhookRoutes(deps))
        .use(platformRoutes(deps)),
    )
  routes = app.routes
  const documentOf = describing(deps, routes)
  app.guard(documentRoute(), (documents) => documents.use(openapi(documentOf)).use(apiDocs(deps, documentOf)))
  return app.use(otherMethods(deps, routes))
}

/** What operators' programs do. */
const platformRoutes = (deps: Deps) =>
  new Elysia({ name: 'platform' })
    .use(operatorProRoutes(deps))
    .use(operatorCatalogRoutes(deps))
    .use(operatorPlaceRoutes(deps))
    .use(operatorMarketplaceRoutes(deps))

/** Makes the document of the routes, with what is true of this marketplace today. */
const describing = (deps: Deps, routes: readonly DescribedRoute[]) =>
  currentDocument(deps, {
    build: () => buildDocument(routes, { ...deps.config, webhooks: webhookPathItems }),
    publisher: getMarketplace,
    facts: findExampleFacts,
  })
