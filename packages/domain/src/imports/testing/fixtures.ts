import type { SourceFile } from '../draft.ts'

/*
 * Handwritten after the documented shapes, which each reader names. Three broken ones of each form follow those that
 * are read.
 */

export interface Fixture {
  /** What it shows. */
  about: string
  file: SourceFile
}

const file = (name: string, text: unknown): SourceFile => ({
  name,
  text: typeof text === 'string' ? text : JSON.stringify(text, null, 2),
})

/** As `client.responses.create({prompt})` answers: its instructions are the prompt's messages. */
export const OPENAI_REPLY = {
  ...{
    id: 'resp_686e13a9d9a0',
    object: 'response',
    created_at: 1752044458,
    status: 'completed',
    background: false,
  },
  ...{ error: null, incomplete_details: null, max_output_tokens: null, model: 'gpt-4.1-nano-2025-04-14' },
  instructions: [
    {
      type: 'message',
      role: 'system',
      content: [{ type: 'input_text', text: 'Reply with {{count}} dots.' }],
    },
  ],
  output: [
    { id: 'msg_1', type: 'message', role: 'assistant', content: [{ type: 'output_text', text: '..' }] },
  ],
  ...{ parallel_tool_calls: true, previous_response_id: null, temperature: 1, top_p: 1, tool_choice: 'auto' },
  prompt: { id: 'pmpt_68a1dots', variables: { count: { type: 'input_text', text: '2' } }, version: '3' },
  ...{ reasoning: { effort: null, summary: null }, service_tier: 'default', store: true, tools: [] },
  ...{
    text: { format: { type: 'text' }, verbosity: 'medium' },
    truncation: 'disabled',
    usage: { total_tokens: 9 },
  },
}

/** A prompt object as a person wrote its parts down. */
export const OPENAI_OBJECT = {
  id: 'pmpt_68a1b2c3d4e5f6',
  name: 'Refund reply',
  version: '7',
  model: 'gpt-4o',
  temperature: 0.4,
  max_output_tokens: 900,
  messages: [
    { role: 'developer', content: 'You write for {{company}}. Never promise a date.' },
    { role: 'user', content: [{ type: 'input_text', text: 'Where is my parcel?' }] },
    { role: 'assistant', content: [{ type: 'output_text', text: 'I will look it up.' }] },
    { role: 'user', content: 'Answer {{customer-name}}: {{ request }}' },
  ],
  variables: { company: 'Acme', 'customer-name': null, request: null },
  tools: [{ type: 'function', name: 'find_order', parameters: { type: 'object', properties: {} } }],
  text: {
    format: {
      type: 'json_schema',
      name: 'reply',
      strict: true,
      schema: {
        type: 'object',
        properties: { subject: { type: 'string' }, body: { type: 'string' } },
        required: ['subject', 'body'],
        additionalProperties: false,
      },
    },
  },
  reasoning: { effort: 'minimal' },
}

export const SNIPPET = `const response = await client.responses.create({
  prompt: { id: "pmpt_snippet1", version: "2", variables: { city: "Paris" } },
});`

const LANGFUSE_TEXT = {
  ...{
    name: 'support/movie-critic',
    type: 'text',
    version: 4,
    labels: ['production', 'latest'],
    tags: ['movies'],
  },
  prompt: 'As a {{criticLevel}} movie critic, do you like {{movie}}?',
  config: { model: 'gpt-4o', temperature: 0.5, supported_languages: ['en', 'fr'] },
}
const LANGFUSE_CHAT = {
  ...{ name: 'guide', type: 'chat', version: 2, labels: [], tags: [], config: {} },
  prompt: [
    { role: 'system', content: 'You guide {{visitor}}.' },
    { type: 'placeholder', name: 'history' },
    { role: 'user', content: 'Where to?' },
  ],
}

const PROMPTFOO = `description: Launch mails
prompts:
  - 'Write about {{topic}} for {{audience}}.'
  - file://other.txt
providers: [openai:gpt-4o, anthropic:messages:claude-sonnet-5]
tests:
  - vars: { topic: tea, audience: teams }
    assert: [{ type: icontains, value: tea }, { type: javascript, value: output.length > 3 }]
`

export const FIXTURES: Record<string, { read: Fixture[]; broken: Fixture[] }> = {
  openai: {
    read: [
      { about: 'a prompt object', file: file('refund.json', OPENAI_OBJECT) },
      { about: 'a reply of the API', file: file('response.json', OPENAI_REPLY) },
      {
        about: 'a list',
        file: file('all.json', {
          object: 'list',
          data: [OPENAI_OBJECT, { ...OPENAI_OBJECT, id: 'pmpt_b', name: 'B' }],
        }),
      },
      {
        about: 'one a line',
        file: file(
          'all.jsonl',
          [OPENAI_OBJECT, { ...OPENAI_OBJECT, version: '6' }].map((each) => JSON.stringify(each)).join('\n'),
        ),
      },
      {
        about: 'a request body',
        file: file('body.json', { model: 'gpt-5.4', instructions: 'Be brief.', input: 'Sum {{text}} up.' }),
      },
      { about: 'only code', file: file('app.ts', SNIPPET) },
    ],
    broken: [
      { about: 'cut off', file: file('cut.json', JSON.stringify(OPENAI_OBJECT).slice(0, 300)) },
      {
        about: 'a line that is none',
        file: file('lines.jsonl', `${JSON.stringify(OPENAI_OBJECT)}\n{"id": "pmpt_`),
      },
      {
        about: 'a key that reaches a prototype',
        file: file('proto.json', '{"id": "pmpt_1", "instructions": "x", "__proto__": {"a": 1}}'),
      },
    ],
  },
  langfuse: {
    read: [
      {
        about: 'prompts',
        file: file('langfuse.json', [
          LANGFUSE_TEXT,
          { ...LANGFUSE_TEXT, version: 5, labels: [] },
          LANGFUSE_CHAT,
        ]),
      },
      {
        about: 'the list of its API, without texts',
        file: file('list.json', {
          data: [{ name: 'a', versions: [1], labels: ['production'], tags: [] }],
          meta: { page: 1 },
        }),
      },
    ],
    broken: [
      { about: 'cut off', file: file('cut.json', JSON.stringify([LANGFUSE_TEXT]).slice(0, 80)) },
      {
        about: 'nested too deep',
        file: file(
          'deep.json',
          `{"name":"a","type":"text","prompt":"x","config":${'['.repeat(500)}${']'.repeat(500)}}`,
        ),
      },
      {
        about: 'a comment in it',
        file: file('comment.json', `[{"name": "a", /* no */ "type": "text", "prompt": "x"}]`),
      },
    ],
  },
  markdown: {
    read: [
      {
        about: 'a skill',
        file: file(
          'pdf-forms/SKILL.md',
          '---\nname: pdf-forms\ndescription: Fills PDF forms.\nlicense: MIT\n---\n# Fill a form\n\nFollow $1 for $ARGUMENTS.',
        ),
      },
      {
        about: 'a command',
        file: file(
          '.claude/commands/fix.md',
          '---\ndescription: Fixes an issue\nallowed-tools: Bash(git:*)\nmodel: claude-sonnet-5\n---\nFix issue $ARGUMENTS. State: !`git status`',
        ),
      },
      {
        about: 'a prompt of VS Code',
        file: file(
          '.github/prompts/review.prompt.md',
          `---\nmode: agent\ntools: [search]\n---\nReview \${input:file:Which file?} and \${selection}.`,
        ),
      },
      {
        about: 'Prompty',
        file: file(
          'basic.prompty',
          '---\nname: Basic\nmodel:\n  api: chat\n  configuration: { type: azure_openai, azure_deployment: gpt-4o, api_key: secret }\n  parameters: { max_tokens: 128, temperature: 0.2 }\nsample:\n  question: Who?\n---\nsystem:\nYou answer briefly.\n\nuser:\n{{question}}',
        ),
      },
      {
        about: 'dotprompt',
        file: file(
          'greet.prompt',
          '---\nmodel: googleai/gemini-4-hydrogen\nconfig: { temperature: 0.7, topK: 20 }\noutput: { format: json, schema: { type: object, properties: { hello: { type: string } }, required: [hello], additionalProperties: false } }\n---\n{{role "system"}}\nBe warm.\n{{role "user"}}\nGreet {{name}}. {{#if polite}}Bow.{{/if}}',
        ),
      },
      { about: 'Markdown without front matter', file: file('notes/plain.md', 'Summarise {{text}}.') },
    ],
    broken: [
      { about: 'front matter that is no YAML', file: file('bad.md', '---\nname: [a\n---\nText') },
      {
        about: 'an alias bomb',
        file: file(
          'bomb.md',
          `---\na: &a [x, x, x, x, x, x, x, x, x]\n${'bcdefghi'
            .split('')
            .map((name, index) => `${name}: &${name} [${`*${'abcdefgh'[index]}, `.repeat(9)}x]`)
            .join('\n')}\n---\nText`,
        ),
      },
      {
        about: 'a tag of a program',
        file: file('tag.md', '---\nname: !!python/object:os.system x\n---\nText'),
      },
    ],
  },
  'open-webui': {
    read: [
      {
        about: 'an export',
        file: file('prompts-export.json', [
          {
            command: '/summary',
            user_id: 'u1',
            title: 'Summary',
            content: 'On {{CURRENT_DATE}} sum {{text | textarea:placeholder="Text"}} up.',
            timestamp: 1752044458,
            access_control: {},
          },
          { command: '/empty', title: 'Empty', content: '' },
        ]),
      },
    ],
    broken: [
      { about: 'cut off', file: file('cut.json', '[{"command": "/a", "content": "te') },
      { about: 'single quotes', file: file('quotes.json', "[{'command': '/a', 'content': 'text'}]") },
      {
        about: 'two lists after each other',
        file: file('two.json', '[{"command": "/a", "content": "x"}][]'),
      },
    ],
  },
  'prompts-chat': {
    read: [
      {
        about: 'its table',
        file: file(
          'prompts.csv',
          `act,prompt,for_devs,type,contributor\n"Linux Terminal","Act as a terminal, in \${shell:bash}.",TRUE,TEXT,f\n"Poet","Write\ntwo lines on \${topic}.",FALSE,IMAGE,\nEmpty,,,,`,
        ),
      },
    ],
    broken: [
      { about: 'a quote that is not closed', file: file('quote.csv', 'act,prompt\n"A,b') },
      { about: 'more columns than names', file: file('columns.csv', 'act,prompt\na,b,c,d') },
      { about: 'a quote within a cell', file: file('within.csv', 'act,prompt\na,b"c"d"') },
    ],
  },
  promptfoo: {
    read: [{ about: 'a configuration', file: file('promptfooconfig.yaml', PROMPTFOO) }],
    broken: [
      { about: 'no YAML', file: file('bad.yaml', 'prompts: [a\ntests: {') },
      { about: 'a tag of a program', file: file('tag.yaml', 'prompts: [x]\ntests: !!js/function "f"') },
      {
        about: 'a circle of references',
        file: file('circle.yaml', 'prompts: [x]\ntests: [{ $ref: "#/tests/0" }]'),
      },
    ],
  },
}
