// An MCP server for the conformance suite only: the suite's own tools, served by the same code as the real ones.
import { MissingRequiredClientCapabilityError } from '@modelcontextprotocol/server'
import { Type } from '@sinclair/typebox'

import type { Caller } from '../../src/auth/caller.ts'
import type { McpServerDefinition } from '../../src/mcp/server/definition.ts'
import { type Tool, defineCustomerTool } from '../../src/mcp/server/tool.ts'
import { AppError } from '../../src/errors/app-error.ts'

/** An image of one pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='
/** A WAV file without a sample. */
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA='

const nothing = Type.Object({}, { additionalProperties: false })

type Content = NonNullable<Tool['content']>
const toolWithContent = (name: string, content: ReturnType<Content>): Tool =>
  defineCustomerTool({
    name,
    title: name,
    description: 'A tool of the conformance suite.',
    access: 'read',
    input: nothing,
    output: nothing,
    call: () => Promise.resolve({}),
    content: () => content,
  })

const failingTool = (name: string, fail: () => never): Tool =>
  defineCustomerTool({
    name,
    title: name,
    description: 'A tool of the conformance suite.',
    access: 'read',
    input: nothing,
    output: nothing,
    call: async () => Promise.resolve(fail()),
  })

const text = (value: string) => ({ type: 'text' as const, text: value })
const image = { type: 'image' as const, data: PNG, mimeType: 'image/png' }
const resource = (uri: string, mimeType: string, value: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text: value },
})

/** Parsed from text, because an object literal with a member `then` would count as a promise. */
const condition = JSON.parse(`{
  "if": { "properties": { "contactMethod": { "const": "phone" } }, "required": ["contactMethod"] },
  "then": { "required": ["phone"] },
  "else": { "required": ["email"] }
}`) as object

/** The schema that the scenario json-schema-2020-12 expects in tools/list. */
const wideSchema = Type.Object(
  {
    name: Type.Optional(Type.String()),
    address: Type.Optional(Type.Unknown({ $ref: '#/$defs/address' })),
    contactMethod: Type.Optional(Type.Unknown({ type: 'string', enum: ['phone', 'email'] })),
    phone: Type.Optional(Type.String()),
    email: Type.Optional(Type.String()),
  },
  {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $defs: {
      address: {
        $anchor: 'addressDef',
        type: 'object',
        properties: { street: { type: 'string' }, city: { type: 'string' } },
      },
    },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    ...condition,
    additionalProperties: false,
  },
)

const tools: readonly Tool[] = [
  toolWithContent('test_simple_text', [text('This is a simple text response for testing.')]),
  toolWithContent('test_image_content', [image]),
  toolWithContent('test_audio_content', [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }]),
  toolWithContent('test_embedded_resource', [
    resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
  ]),
  toolWithContent('test_multiple_content_types', [
    text('Multiple content types test:'),
    image,
    resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
  ]),
  // These two must not log or elicit anything during a call.
  toolWithContent('test_logging_tool', [text('Nothing was logged.')]),
  toolWithContent('test_streaming_elicitation', [text('Nothing was asked.')]),
  failingTool('test_error_handling', () => {
    throw new AppError('not_found', 'This tool intentionally returns an error for testing.')
  }),
  failingTool('test_missing_capability', () => {
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } })
  }),
  { ...toolWithContent('json_schema_2020_12_tool', [text('ok')]), input: wideSchema },
]

export const conformanceServer: McpServerDefinition = {
  name: 'customer',
  audience: 'its test',
  path: '/mcp',
  instructions: 'For the conformance suite.',
  tools,
  scopes: { read: ['mcp:read'], write: ['mcp:write'] },
  prompts: [],
  resources: [],
  remedies: {},
  explain: (_, error) => error,
  authorize: (_, caller: Caller) => caller,
}
