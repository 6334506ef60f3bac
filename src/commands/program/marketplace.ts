// The commands about what the marketplace says and offers.
import type { Command } from 'commander'

import { from } from './from.ts'

/** `hearth marketplace`. */
export function addMarketplace(hearth: Command): void {
  const marketplace = hearth.command('marketplace').description('who the marketplace is, as a file')
  marketplace
    .command('export')
    .description('print its name, sentence, e-mail address, phone, postal address, country and area as JSON')
    .action(from(async () => (await import('../marketplace.ts')).runMarketplaceExport))
  marketplace
    .command('import')
    .argument('<file>', 'JSON as `marketplace export` prints it')
    .description('change what the file names; the rest stays')
    .action(from(async () => (await import('../marketplace.ts')).runMarketplaceImport))
}

/** `hearth texts`. */
export function addTexts(hearth: Command): void {
  const texts = hearth.command('texts').description('terms, privacy policy and imprint, as files of Markdown')
  texts
    .command('export <text>')
    .description('print the terms, privacy or imprint in force')
    .action(from(async () => (await import('../texts.ts')).runTextsExport))
  texts
    .command('publish <text> <file>')
    .description('publish the file as the next version of terms, privacy or imprint')
    .action(from(async () => (await import('../texts.ts')).runTextsPublish))
}

/** `hearth catalog`. */
export function addCatalog(hearth: Command): void {
  const catalog = hearth
    .command('catalog')
    .description('categories and services: as a file, to begin with, by lines, and merges')
  catalog
    .command('export')
    .description('print all categories and services as JSON, with their ids')
    .action(from(async () => (await import('../catalog.ts')).runCatalogExport))
  catalog
    .command('import')
    .argument('<file>', 'JSON as `catalog export` prints it')
    .description('add and change what the file names, by id or slug; others stay')
    .option('--dry-run', 'only say what would change')
    .action(from(async () => (await import('../catalog.ts')).runCatalogImport))
  catalog
    .command('starter')
    .description('add the services of the starter set that are missing; what is there stays')
    .option('--only <slugs>', 'comma-separated slugs of its categories or services, such as plumbing,house-cleaning')
    .option('--dry-run', 'only say what would change')
    .action(from(async () => (await import('../catalog.ts')).runCatalogStarter))
  catalog
    .command('add')
    .argument('<file>', 'lines of name | price | minutes | other names; - for standard input')
    .description('add services by lines, all of them or none')
    .requiredOption('--category <slug>', 'the category that gets them')
    .option('--dry-run', 'only say what would change')
    .action(from(async () => (await import('../catalog.ts')).runCatalogAdd))
  catalog
    .command('merge')
    .argument('<slug>', 'of the service or category that becomes part of another one')
    .argument('<into>', 'slug of the other one')
    .description('merge two services, or two categories; it cannot be undone')
    .action(from(async () => (await import('../catalog.ts')).runCatalogMerge))
}

/** `hearth reviews`. */
export function addReviews(hearth: Command): void {
  const reviews = hearth.command('reviews').description('moderate reviews')
  reviews
    .command('list')
    .description('list reviews, newest first')
    .option('--status <state>', 'pending, approved or rejected', 'pending')
    .option('--limit <n>', 'maximum number of lines', '50')
    .option('--json', 'print JSON')
    .action(from(async () => (await import('../reviews.ts')).runReviewsList))
  reviews
    .command('approve')
    .argument('<id>', 'id from `reviews list`')
    .description('publish a review')
    .action(from(async () => (await import('../reviews.ts')).runReviewsApprove))
  reviews
    .command('reject')
    .argument('<id>', 'id from `reviews list`')
    .description('reject a review')
    .requiredOption('--reason <text>', 'reason; the pro can read it')
    .action(from(async () => (await import('../reviews.ts')).runReviewsReject))
}
