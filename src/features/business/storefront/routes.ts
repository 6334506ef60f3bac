// /pro/public-profile, /pro/business-entity and /pro/site-config. GET /profile/public/{id} shows the same data to visitors.
import { Elysia } from 'elysia'

import type { Deps } from '../../../deps.ts'
import { guard } from '../../../http/guard.ts'
import { returns } from '../../../http/responses.ts'
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
      async function getProPublicProfile({ ctx }) {
        return await getPublicTexts(ctx)
      },
      {
        proKey: 'pro:read',
        response: { 200: returns('The texts of the pro’s page', PublicTexts) },
        detail: { tags, summary: 'The texts of the pro’s page' },
      },
    )
    .patch(
      '/public-profile',
      async function patchProPublicProfile({ ctx, body }) {
        return await changePublicTexts(ctx, body)
      },
      {
        proKey: 'pro:write',
        body: PublicTextsChange,
        response: { 200: returns('The changed texts', PublicTexts) },
        detail: { tags, summary: 'Change the texts of the pro’s page' },
      },
    )
    .get(
      '/business-entity',
      async function getProBusinessEntity({ ctx }) {
        return await getBusinessEntity(ctx)
      },
      {
        proKey: 'pro:read',
        response: { 200: returns('The business entity', BusinessEntity) },
        detail: { tags, summary: 'The pro’s business entity' },
      },
    )
    .patch(
      '/business-entity',
      async function patchProBusinessEntity({ ctx, body }) {
        return await changeBusinessEntity(ctx, body)
      },
      {
        proKey: 'pro:write',
        body: BusinessEntityChange,
        response: { 200: returns('The changed business entity', BusinessEntity) },
        detail: { tags, summary: 'Change the business entity' },
      },
    )
    .get(
      '/site-config',
      async function getProSiteConfig({ ctx }) {
        return await getSiteConfig(ctx)
      },
      {
        proKey: 'pro:read',
        response: { 200: returns('The site configuration', SiteConfig) },
        detail: { tags, summary: 'The appearance of the pro’s page' },
      },
    )
    .patch(
      '/site-config',
      async function patchProSiteConfig({ ctx, body }) {
        return await changeSiteConfig(ctx, body)
      },
      {
        proKey: 'pro:write',
        body: SiteConfigChange,
        response: { 200: returns('The changed site configuration', SiteConfig) },
        detail: { tags, summary: 'Change the appearance of the pro’s page' },
      },
    )
