// Files that were made to do harm, and what Hearth must make of each. Made anew in each run, from one seed.
import { deflateSync, gzipSync } from 'node:zlib'

import sharp from 'sharp'

import { Random } from '../../src/local/seed/random.ts'
import { type HostileFile, MARKER, SCRIPT, ZIP, passivePdf, text } from './hostile-documents.ts'

const [WIDTH, HEIGHT] = [96, 64]

/** A gradient with some noise, so that no part of the file is empty. */
export const pixels = (width = WIDTH, height = HEIGHT) => {
  const data = Buffer.alloc(width * height * 3)
  for (let at = 0; at < data.length; at++) data[at] = (at * 7 + (Math.imul(at, 2_654_435_761) >>> 28)) & 0xff
  return sharp(data, { raw: { width, height, channels: 3 } })
}

const FORMATS = ['jpeg', 'png', 'webp', 'avif'] as const
type Format = (typeof FORMATS)[number]

/** Good pictures of each format. */
export const goodPictures = async (): Promise<Record<Format, Buffer>> => {
  const entries = FORMATS.map(async (format) => [format, await pixels().toFormat(format).toBuffer()] as const)
  return Object.fromEntries(await Promise.all(entries)) as Record<Format, Buffer>
}

const uint32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value >>> 0)
  return bytes
}

/** A chunk of a PNG, with its checksum. */
const chunk = (type: string, data: Uint8Array) => {
  const body = Buffer.concat([text(type), data])
  return Buffer.concat([uint32(data.byteLength), body, uint32(Bun.hash.crc32(body))])
}

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** A PNG that says it is so large, with so many bytes of pixels. */
function pngOf(width: number, height: number, pixelBytes: number): Buffer {
  const header = Buffer.concat([uint32(width), uint32(height), Buffer.from([8, 2, 0, 0, 0])])
  const data = deflateSync(Buffer.alloc(pixelBytes), { level: 9 })
  return Buffer.concat([PNG_SIGNATURE, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))])
}

/** Changes the dimensions in the header of a good file. */
function withDimensions(format: Format, good: Buffer, width: number, height: number): Buffer {
  const bytes = Buffer.from(good)
  if (format === 'png') {
    bytes.writeUInt32BE(width, 16)
    bytes.writeUInt32BE(height, 20)
    bytes.writeUInt32BE(Bun.hash.crc32(bytes.subarray(12, 29)), 29)
  } else if (format === 'jpeg') {
    const frame = bytes.findIndex((byte, at) => byte === 0xff && [0xc0, 0xc2].includes(bytes[at + 1] ?? 0))
    bytes.writeUInt16BE(height & 0xffff, frame + 5)
    bytes.writeUInt16BE(width & 0xffff, frame + 7)
  } else if (format === 'webp') {
    bytes.writeUInt16LE(width & 0x3fff, 26)
    bytes.writeUInt16LE(height & 0x3fff, 28)
  } else {
    const extents = bytes.indexOf('ispe')
    bytes.writeUInt32BE(width, extents + 8)
    bytes.writeUInt32BE(height, extents + 12)
  }
  return bytes
}

/** Too many pixels, in a few bytes. */
function bombs(good: Record<Format, Buffer>): HostileFile[] {
  const sizes = [
    [7100, 7100],
    [65_500, 65_500],
    [2_000_000_000, 1],
    [1, 2_000_000_000],
    [0xffffffff, 0xffffffff],
    [0, 0],
  ] as const
  const ofPng = sizes.map(([width, height]) => [`png ${width}x${height}`, pngOf(width, height, 1000)] as const)
  const changed = FORMATS.flatMap((format) =>
    sizes.map(
      ([width, height]) =>
        [`${format} that says ${width}x${height}`, withDimensions(format, good[format], width, height)] as const,
    ),
  )
  // 60 megapixels that are all there: 180 MB in 175 KB.
  const whole = ['png of 60 megapixels', pngOf(10_000, 6000, (10_000 * 3 + 1) * 6000)] as const
  return [...ofPng, ...changed, whole].map(([name, bytes]) => ({
    name: `bomb: ${name}`,
    bytes,
    // Some headers contradict each other, and a decoder may believe the one that is right.
    fate: /avif|(webp|jpeg) that says (0|2000000000|1x|4294)/.test(name) ? 'either' : 'refused',
  }))
}

/** Valid pictures that are something else as well. */
function polyglots(good: Record<Format, Buffer>): HostileFile[] {
  const tails: Record<string, Buffer> = {
    html: text(SCRIPT),
    zip: ZIP,
    php: text(`<?php /*${MARKER}*/ system($_GET[0]); ?>`),
    pdf: passivePdf(`% ${MARKER}`),
    svg: text(`<svg xmlns="http://www.w3.org/2000/svg">${SCRIPT}</svg>`),
    elf: Buffer.concat([text('\x7fELF'), text(MARKER)]),
    'shell script': text(`\n#!/bin/sh\necho ${MARKER}`),
    zeros: Buffer.concat([Buffer.alloc(100_000), text(MARKER)]),
  }
  const withTail = FORMATS.flatMap((format) =>
    Object.entries(tails).map(([name, tail]): HostileFile => ({
      name: `polyglot: ${format} and ${name}`,
      bytes: Buffer.concat([good[format], tail]),
      fate: format === 'avif' ? 'either' : 'clean',
    })),
  )
  const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, SCRIPT.length + 2]), text(SCRIPT)])
  const inside: [string, Buffer][] = [
    ['jpeg with a script as comment', Buffer.concat([good.jpeg.subarray(0, 2), comment, good.jpeg.subarray(2)])],
    ...['tEXt', 'iTXt', 'zTXt', 'eXIf', 'iCCP', 'prIV'].map((type): [string, Buffer] => [
      `png with ${type}`,
      Buffer.concat([
        good.png.subarray(0, 33),
        chunk(type, Buffer.concat([text('Comment\0\0\0\0\0'), text(SCRIPT)])),
        good.png.subarray(33),
      ]),
    ]),
  ]
  return [
    ...withTail,
    ...inside.map(([name, bytes]): HostileFile => ({ name: `polyglot: ${name}`, bytes, fate: 'clean' })),
  ]
}

/** Cut off at each twelfth. */
const truncated = (good: Record<Format, Buffer>): HostileFile[] =>
  FORMATS.flatMap((format) =>
    Array.from({ length: 11 }, (_, index) => ({
      name: `truncated: ${format} after ${index + 1} of 12 parts`,
      bytes: good[format].subarray(0, Math.floor((good[format].byteLength * (index + 1)) / 12)),
      fate: 'refused' as const,
    })),
  )

/** Bytes of a good file, changed at random. */
function damaged(good: Record<Format, Buffer>, random: Random): HostileFile[] {
  return FORMATS.flatMap((format) =>
    Array.from({ length: 20 }, (_, index) => {
      const bytes = Buffer.from(good[format])
      for (let change = 0; change <= index; change++)
        bytes[random.integer(0, bytes.byteLength - 1)] = random.integer(0, 255)
      return { name: `damaged: ${format}, ${index + 1} bytes`, bytes, fate: 'either' as const }
    }),
  )
}

/** What is no picture that Hearth takes, whatever its sender calls it. */
async function others(good: Record<Format, Buffer>): Promise<HostileFile[]> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${SCRIPT}</svg>`
  const heic = Buffer.from(good.avif)
  heic.write('heic', 8)
  for (let at = heic.indexOf('avif'); at !== -1; at = heic.indexOf('avif')) heic.write('heix', at)
  const files: Record<string, Uint8Array> = {
    nothing: Buffer.alloc(0),
    'one byte': Buffer.from([0xff]),
    'the signature of a jpeg': Buffer.from([0xff, 0xd8, 0xff]),
    'the signature of a png': PNG_SIGNATURE,
    'the signature of a webp': text('RIFF\xff\xff\xff\xffWEBPVP8X'),
    'the signature of an avif': text('\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf'),
    'a box without an end': text('\xff\xff\xff\xffftypavif'),
    html: text(`<!doctype html>${SCRIPT}`),
    script: text(`alert('${MARKER}')`),
    svg: text(svg),
    'svg with a declaration': text(`<?xml version="1.0"?>${svg}`),
    'svg with entities': text(`<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${svg}`),
    'svg after spaces': text(`\n   ${svg}`),
    'svg with a mark': Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), text(svg)]),
    svgz: gzipSync(svg),
    gif: await pixels().gif().toBuffer(),
    tiff: await pixels().tiff().toBuffer(),
    bmp: Buffer.concat([text('BM'), Buffer.alloc(100)]),
    ico: Buffer.from([0, 0, 1, 0, 1, 0, 16, 16, 0, 0]),
    psd: text('8BPS\0\x01'),
    heic,
    mp4: text('\0\0\0\x18ftypmp42\0\0\0\0mp42isom'),
    zip: ZIP,
    gzip: gzipSync(Buffer.alloc(10_000_000)),
    exe: text(`MZ${MARKER}`),
    elf: text(`\x7fELF${MARKER}`),
    'a webp in a gif': Buffer.concat([text('GIF89a'), good.webp]),
    'a jpeg after spaces': Buffer.concat([text('  '), good.jpeg]),
    eps: text('%!PS-Adobe-3.0 EPSF-3.0\n(/etc/passwd) run'),
    mvg: text('push graphic-context\nimage over 0,0 0,0 "|id"'),
    vips: text('\xb6\xa6\xf2\x08'),
    openslide: text('Aperio Image Library'),
    csv: text('1,2\n3,4'),
    matlab: text('MATLAB 5.0 MAT-file'),
    fits: text('SIMPLE  =                    T'),
    jxl: Buffer.from([0xff, 0x0a, 0, 0]),
    jp2: text('\0\0\0\x0cjP  \r\n\x87\n'),
    'a pdf in the place of a picture': passivePdf(),
  }
  return Object.entries(files).map(([name, bytes]) => ({ name: `mislabelled: ${name}`, bytes, fate: 'refused' }))
}

/** All that is sent in the place of a picture. */
export async function hostilePictures(seed: number): Promise<HostileFile[]> {
  const good = await goodPictures()
  return [
    ...bombs(good),
    ...polyglots(good),
    ...truncated(good),
    ...damaged(good, new Random(seed, 1, 0)),
    ...(await others(good)),
  ]
}
