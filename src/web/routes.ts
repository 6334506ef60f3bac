// The pages: for everyone, for signed-in customers, for people who are logged in to the console, for operators.
import { type AnyElysia, Elysia } from 'elysia'

import type { Deps } from '../deps.ts'
import { guard } from '../http/guard.ts'
import { documentRoute } from '../http/headers.ts'
import { accountPages } from './console/account.tsx'
import { brandPicturePages } from './console/brand-pictures.tsx'
import { closingPages } from './console/closing/routes.ts'
import { blockedCustomerPages } from './console/blocked-customers.tsx'
import { applicationPages } from './console/applications/routes.ts'
import { auditLogPages } from './console/audit-log.tsx'
import { areaPages } from './console/area/routes.ts'
import { catalogPages } from './console/catalog/routes.ts'
import { calendarPages } from './console/calendars.tsx'
import { calendarWeekPages } from './console/calendar/routes.ts'
import { connectedAppPages } from './console/apps.tsx'
import { byHandPages } from './console/bookings/by-hand-routes.ts'
import { consoleBookingPages } from './console/bookings/routes.ts'
import { growthPages } from './console/growth/routes.tsx'
import { settingsPages } from './console/settings.tsx'
import { stuckPages } from './console/stuck/routes.ts'
import { creditPages } from './console/credits.tsx'
import { operatorCustomerPages } from './console/customers/routes.ts'
import { jobPages } from './console/jobs.tsx'
import { platformKeyPages } from './console/keys/platform-routes.ts'
import { keyPages } from './console/keys/routes.ts'
import { leadPages } from './console/leads/routes.ts'
import { guidePages } from './console/guide/routes.ts'
import { marketplaceDefaultsPages } from './console/marketplace-defaults.tsx'
import { loginPages } from './console/login.ts'
import { legalTextPages } from './console/legal-texts/routes.ts'
import { marketplacePages } from './console/marketplace.tsx'
import { mailPages } from './console/mail/routes.ts'
import { templatePages } from './console/mail/templates.tsx'
import { proReviewPages } from './console/my-reviews.tsx'
import { proVerificationPages } from './console/my-verification.tsx'
import { overviewPages } from './console/overview.tsx'
import { emailLinkPages } from './console/email-change.tsx'
import { passwordLinkPages } from './console/password-link.tsx'
import { paymentPages } from './console/payments/routes.tsx'
import { consoleFilePages } from './console/files.ts'
import { picturePages } from './console/pictures.tsx'
import { movePages } from './console/moves/routes.tsx'
import { consoleProfilePages } from './console/profile/routes.ts'
import { proposalPages } from './console/proposals.tsx'
import { reviewPages } from './console/reviews/routes.ts'
import { operatorBookingPages } from './console/bookings/operator-routes.ts'
import { searchPages } from './console/search.tsx'
import { designPages } from './console/design.tsx'
import { disownedPages } from './console/disowned.tsx'
import { secondFactorPages } from './console/second-factor/routes.ts'
import { servicePages } from './console/services/routes.ts'
import { teamPages } from './console/team.tsx'
import { testModePages } from './console/test-mode.tsx'
import { usagePages } from './console/usage.tsx'
import { userPages } from './console/users/routes.ts'
import { importPages } from './console/imports/routes.ts'
import { newProPages } from './console/new-pro.tsx'
import { planPages } from './console/plans/routes.ts'
import { verificationPages } from './console/verification/routes.ts'
import { quickstartPages } from './console/quickstart.tsx'
import { deliveryPages } from './console/webhooks/delivery-routes.tsx'
import { webhookPages } from './console/webhooks/endpoint-routes.ts'
import { customerAppPages } from './my/apps.tsx'
import { disowningPages } from './my/not-mine.tsx'
import { customerDataPages } from './my/data.tsx'
import { customerPages } from './my/overview.tsx'
import { customerBookingPages } from './my/bookings.tsx'
import { customerPhotoPages, customerReviewPages } from './my/reviews.tsx'
import { signInPages } from './my/sign-in.ts'
import { consentPages } from './oauth/consent.ts'
import { nowPages } from './ops/now.tsx'
import { queuePages } from './ops/queues.tsx'
import { tracePages } from './ops/traces.tsx'
import { aboutPages } from './public/about/routes.ts'
import { bookingPages } from './public/booking/routes.ts'
import { calendarFeeds } from './public/calendar.ts'
import { cityPages } from './public/city/routes.ts'
import { joinPages } from './public/join/routes.ts'
import { llmsText } from './public/llms.ts'
import { myBookingPages } from './public/my-booking/routes.ts'
import { packagePages } from './public/package.tsx'
import { payPages } from './public/pay/routes.ts'
import { problemPages } from './public/problems.tsx'
import { profilePages } from './public/profile/routes.ts'
import { reviewConfirmationPages } from './public/review-confirmation.tsx'
import { quoteRequestPages } from './public/quote-request/routes.ts'
import { quotePages, visitPages } from './public/quote/routes.ts'
import { sharePictures } from './public/share-pictures.ts'
import { homePages } from './public/search/routes.ts'
import { sitemaps } from './public/sitemap.ts'
import { unsubscribePages } from './public/unsubscribe.tsx'
import { pageAssets } from './ui/assets.ts'
import { faceAssets } from './ui/face.ts'
import { webManifest } from './ui/manifest.ts'
import { withSite } from './ui/site.tsx'
import { beforeOpening } from './public/opening.tsx'

export const webPages = (deps: Deps) =>
  new Elysia({ name: 'web' })
    .use(guard(deps))
    .onBeforeHandle(withSite(deps))
    .guard(documentRoute(), (documents) => documents.use(problemPages(deps)))
    .use(pageAssets(deps))
    .use(faceAssets(deps))
    .use(webManifest(deps))
    .use(untyped(publicPages(deps)))
    .use(untyped(myPages(deps)))
    .use(untyped(consolePages(deps)))
    .use(untyped(proPages(deps)))
    .use(untyped(opsPages(deps)))

/** The pages without the types of their routes: no program calls them, and their types together are too many for TypeScript. */
const untyped = (pages: AnyElysia): Elysia => pages as Elysia

/** Where people find and book pros. */
const findingPages = (deps: Deps) =>
  new Elysia({ name: 'finding-pages' })
    .onBeforeHandle(beforeOpening(deps))
    .use(homePages(deps))
    .use(cityPages(deps))
    .use(profilePages(deps))
    .use(packagePages(deps))
    .use(bookingPages(deps))
    .use(quoteRequestPages(deps))

const publicPages = (deps: Deps) =>
  new Elysia({ name: 'public-pages' })
    .use(findingPages(deps))
    .use(sharePictures(deps))
    .use(joinPages(deps))
    .use(myBookingPages(deps))
    .use(quotePages(deps))
    .use(visitPages(deps))
    .use(payPages(deps))
    .use(calendarFeeds(deps))
    .use(unsubscribePages(deps))
    .use(reviewConfirmationPages(deps))
    .use(consentPages(deps))
    .use(sitemaps(deps))
    .use(aboutPages(deps))
    .use(llmsText(deps))

const myPages = (deps: Deps) =>
  new Elysia({ name: 'my-pages' })
    .use(signInPages(deps))
    .use(customerPages(deps))
    .use(customerBookingPages(deps))
    .use(customerReviewPages(deps))
    .use(customerPhotoPages(deps))
    .use(customerDataPages(deps))
    .use(customerAppPages(deps))
    .use(disowningPages(deps))

const consolePages = (deps: Deps) =>
  new Elysia({ name: 'console-pages' })
    .use(loginPages(deps))
    .use(passwordLinkPages(deps))
    .use(emailLinkPages(deps))
    .use(overviewPages(deps))
    .use(accountPages(deps))
    .use(secondFactorPages(deps))
    .use(closingPages(deps))
    .use(creditPages(deps))
    .use(operatorCustomerPages(deps))
    .use(reviewPages(deps))
    .use(paymentPages(deps))
    .use(guidePages(deps))
    .use(marketplacePages(deps))
    .use(marketplaceDefaultsPages(deps))
    .use(brandPicturePages(deps))
    .use(legalTextPages(deps))
    .use(applicationPages(deps))
    .use(verificationPages(deps))
    .use(newProPages(deps))
    .use(importPages(deps))
    .use(areaPages(deps))
    .use(catalogPages(deps))
    .use(planPages(deps))
    .use(proVerificationPages(deps))
    .use(movePages(deps))
    .use(templatePages(deps))
    .use(mailPages(deps))
    .use(userPages(deps))
    .use(disownedPages(deps))
    .use(auditLogPages(deps))
    .use(stuckPages(deps))
    .use(growthPages(deps))
    .use(keyPages(deps))
    .use(platformKeyPages(deps))
    .use(quickstartPages(deps))
    .use(webhookPages(deps))
    .use(deliveryPages(deps))
    .use(testModePages(deps))
    .use(usagePages(deps))
    .use(designPages(deps))

const proPages = (deps: Deps) =>
  new Elysia({ name: 'pro-pages' })
    .use(byHandPages(deps))
    .use(consoleBookingPages(deps))
    .use(operatorBookingPages(deps))
    .use(blockedCustomerPages(deps))
    .use(calendarWeekPages(deps))
    .use(calendarPages(deps))
    .use(settingsPages(deps))
    .use(servicePages(deps))
    .use(teamPages(deps))
    .use(consoleProfilePages(deps))
    .use(picturePages(deps))
    .use(consoleFilePages(deps))
    .use(proReviewPages(deps))
    .use(leadPages(deps))
    .use(jobPages(deps))
    .use(searchPages(deps))
    .use(proposalPages(deps))
    .use(connectedAppPages(deps))

const opsPages = (deps: Deps) =>
  new Elysia({ name: 'ops-pages' }).use(nowPages(deps)).use(tracePages(deps)).use(queuePages(deps))
