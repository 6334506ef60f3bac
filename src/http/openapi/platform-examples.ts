// Examples of what programs of operators send.

const REASON = 'The owner asked for it on the phone.'
const OF_A_PRO = 'The id in the path is that of a pro: `GET /api/v1/platform/pros` lists them.'

/** The form of an id. No row has it. */
const YOURS = '00000000-0000-7000-8000-000000000000'
const OF_THE_CATALOG = 'Ids of categories and services: `GET /api/v1/platform/catalog` lists them.'

export const platformExamples = {
  postPlatformPro: {
    value: {
      businessName: 'Example Plumbing',
      email: 'owner@example.com',
      place: 'Austin, TX',
      serviceRadiusMiles: 20,
      externalId: 'crm-1042',
      invite: true,
    },
  },
  postPlatformProStatus: { value: { action: 'pause', reason: REASON }, note: OF_A_PRO },
  putPlatformProMarks: {
    value: {
      verified: true,
      backgroundCheck: false,
      insurance: true,
      credentials: false,
      reason: 'License and policy seen.',
    },
    note: OF_A_PRO,
  },
  patchPlatformMarketplace: {
    value: { name: 'Maple Street', tagline: 'Pros from next door.', email: 'hello@example.com', feeCents: 500 },
  },
  putPlatformArea: { value: { area: [{ place: 'Austin, TX', radiusMiles: 30 }] } },
  postPlatformDistrict: { value: { name: 'Hyde Park', state: 'TX', position: '30.305, -97.730' } },
  patchPlatformDistrict: {
    value: { name: 'Old Hyde Park' },
    note: 'The id in the path is that of a place: `GET /api/v1/platform/places/districts` lists them.',
  },
  postPlatformCategory: { value: { name: 'Gardens', synonyms: ['Yards', 'Landscaping'], after: null } },
  patchPlatformCategory: { value: { name: 'Gardens and yards' }, note: OF_THE_CATALOG },
  postPlatformCategoryMerge: { value: { into: YOURS }, note: `\`into\` is another category. ${OF_THE_CATALOG}` },
  postPlatformService: {
    value: {
      name: 'Hedge trimming',
      categoryId: YOURS,
      priceType: 'hourly',
      durationMinutes: 120,
      questions: [{ question: 'How long is the hedge?', choices: ['Up to 30 feet', 'Longer'] }],
    },
    note: OF_THE_CATALOG,
  },
  patchPlatformService: { value: { synonyms: ['Hedge cutting'], durationMinutes: 90 }, note: OF_THE_CATALOG },
  postPlatformServiceMerge: { value: { into: YOURS }, note: `\`into\` is another service. ${OF_THE_CATALOG}` },
  postPlatformProRefusal: { value: { reason: 'The license number is that of another business.' }, note: OF_A_PRO },
}
