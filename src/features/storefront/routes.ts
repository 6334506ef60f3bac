// /pro/public-profile, /pro/business-entity and /pro/site-config. What they hold is public: GET /profile/public/{id}.
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { proKey } from '../../auth/access.ts'
import { guard } from '../../http/guard.ts'
import { json } from '../../http/json.ts'
import { proOf } from '../../auth/pro-caller.ts'
import {
  BusinessEntity,
  BusinessEntityChange,
  PublicTexts,
  PublicTextsChange,
  SiteConfig,
  SiteConfigChange,
} from './schemas.ts'
import {
  changeBusinessEntity,
  changePublicTexts,
  changeSiteConfig,
  getBusinessEntity,
  getPublicTexts,
  getSiteConfig,
} from './verbs.ts'

const tags = ['Pro settings']

export const storefrontRoutes = (deps: Deps) =>
  new Elysia({ name: 'storefront', prefix: '/pro' })
    .use(guard(deps))
    .get(
      '/public-profile',
      async function getProPublicProfile({ caller }) {
        return json(await getPublicTexts(deps, proOf(caller)))
      },
      {
        access: proKey('pro:read'),
        answers: { 200: { description: 'The texts of the pro’s page', schema: PublicTexts } },
        detail: { tags, summary: 'The texts of the pro’s page' },
      },
    )
    .patch(
      '/public-profile',
      async function patchProPublicProfile({ caller, body }) {
        return json(await changePublicTexts(deps, proOf(caller), body))
      },
      {
        access: proKey('pro:write'),
        body: PublicTextsChange,
        answers: { 200: { description: 'The texts as they are now', schema: PublicTexts } },
        detail: { tags, summary: 'Change the texts of the pro’s page' },
      },
    )
    .get(
      '/business-entity',
      async function getProBusinessEntity({ caller }) {
        return json(await getBusinessEntity(deps, proOf(caller)))
      },
      {
        access: proKey('pro:read'),
        answers: { 200: { description: 'The business', schema: BusinessEntity } },
        detail: { tags, summary: 'The business behind the pro' },
      },
    )
    .patch(
      '/business-entity',
      async function patchProBusinessEntity({ caller, body }) {
        return json(await changeBusinessEntity(deps, proOf(caller), body))
      },
      {
        access: proKey('pro:write'),
        body: BusinessEntityChange,
        answers: { 200: { description: 'The business as it is now', schema: BusinessEntity } },
        detail: { tags, summary: 'Change what is said of the business' },
      },
    )
    .get(
      '/site-config',
      async function getProSiteConfig({ caller }) {
        return json(await getSiteConfig(deps, proOf(caller)))
      },
      {
        access: proKey('pro:read'),
        answers: { 200: { description: 'What the page looks like', schema: SiteConfig } },
        detail: { tags, summary: 'What the pro’s page looks like' },
      },
    )
    .patch(
      '/site-config',
      async function patchProSiteConfig({ caller, body }) {
        return json(await changeSiteConfig(deps, proOf(caller), body))
      },
      {
        access: proKey('pro:write'),
        body: SiteConfigChange,
        answers: { 200: { description: 'What the page looks like now', schema: SiteConfig } },
        detail: { tags, summary: 'Change what the pro’s page looks like' },
      },
    )
