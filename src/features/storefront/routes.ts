// /pro/public-profile, /pro/business-entity and /pro/site-config. GET /profile/public/{id} shows the same data to visitors.
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
        answers: { 200: { description: 'The changed texts', schema: PublicTexts } },
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
        answers: { 200: { description: 'The business entity', schema: BusinessEntity } },
        detail: { tags, summary: 'The pro’s business entity' },
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
        answers: { 200: { description: 'The changed business entity', schema: BusinessEntity } },
        detail: { tags, summary: 'Change the business entity' },
      },
    )
    .get(
      '/site-config',
      async function getProSiteConfig({ caller }) {
        return json(await getSiteConfig(deps, proOf(caller)))
      },
      {
        access: proKey('pro:read'),
        answers: { 200: { description: 'The site configuration', schema: SiteConfig } },
        detail: { tags, summary: 'The appearance of the pro’s page' },
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
        answers: { 200: { description: 'The changed site configuration', schema: SiteConfig } },
        detail: { tags, summary: 'Change the appearance of the pro’s page' },
      },
    )
