// Written by `npm run schema` from queries.sql. Do not edit.
import { type Exec, type Many, type One, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

export const findPublicTexts = statement('findPublicTexts', { nullable: ['headline', 'about', 'serviceAreas', 'faq'] }) as One<'read',
  { professionalId: string },
  { headline: string | null; about: string | null; highlights: string[]; serviceAreas: string | null; languages: string[]; faq: unknown },
  'faq'>

export const savePublicTexts = statement('savePublicTexts') as Exec<'tx',
  { professionalId: string; headline?: string | null; about?: string | null; highlights: readonly string[]; serviceAreas?: string | null; languages: readonly string[]; faq: string; now: string | Date }>

export const findBusinessEntity = statement('findBusinessEntity', { nullable: ['legalName', 'licenseNumber', 'licenseState', 'foundedYear', 'insuranceCarrier', 'phone', 'website'] }) as One<'read',
  { professionalId: string },
  { legalName: string | null; licenseNumber: string | null; licenseState: string | null; foundedYear: number | null; insuranceCarrier: string | null; phone: string | null; website: string | null }>

export const saveBusinessEntity = statement('saveBusinessEntity') as Exec<'tx',
  { professionalId: string; legalName?: string | null; licenseNumber?: string | null; licenseState?: string | null; foundedYear?: number | null; insuranceCarrier?: string | null; at: string | Date }>

export const saveContact = statement('saveContact') as Exec<'tx',
  { phone?: string | null; website?: string | null; at: string | Date; professionalId: string }>

export const findSiteConfig = statement('findSiteConfig', { nullable: ['themeColor', 'heroTitle', 'heroText', 'callToAction', 'callToActionLabel', 'sections'] }) as One<'read',
  { professionalId: string },
  { themeColor: string | null; heroTitle: string | null; heroText: string | null; callToAction: 'book' | 'quote' | 'call' | null; callToActionLabel: string | null; sections: unknown },
  'sections'>

export const saveSiteConfig = statement('saveSiteConfig') as Exec<'tx',
  { professionalId: string; themeColor?: string | null; heroTitle?: string | null; heroText?: string | null; callToAction?: string | null; callToActionLabel?: string | null; sections: readonly string[]; now: string | Date }>

export const isState = statement('isState') as Many<'tx',
  { code: string },
  {}>
