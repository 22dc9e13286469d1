import type { ExportFormat } from '@catenary/contracts'

interface About {
  name: string
  file: string
  says: string
  sample: string
}

export const FORMATS: Record<ExportFormat, About> = {
  folder: {
    name: 'Folder',
    file: 'catenary.zip',
    says: 'Markdown and YAML that read well in Git. Import restores everything as it was.',
    sample: `chains/monthly-letter.yaml
prompts/refund-reply.md
suites/prompts/refund-reply/tone.yaml

--- prompts/refund-reply.md
---
catenary: prompt
title: Refund reply
category: Support
tags:
  - mail
model: openai
---

Answer $<customer> kindly.`,
  },
  langfuse: {
    name: 'Langfuse',
    file: 'langfuse-prompts.json',
    says: 'Prompts as Langfuse’s API returns them, for its clients and its import. No chains or tests.',
    sample: `[
{"name":"refund-reply","type":"chat",
 "prompt":[
  {"role":"system","content":"You write for us."},
  {"role":"user","content":"Answer {{customer}}."}],
 "config":{"model":"openai","temperature":0.2},
 "labels":[],"tags":["mail"]}
]`,
  },
  promptfoo: {
    name: 'promptfoo',
    file: 'promptfooconfig.yaml',
    says: 'Prompts and their tests in one configuration, each test for its prompt. No chains.',
    sample: `description: Catenary
prompts:
- label: refund-reply
  raw: Answer {{customer}} kindly.
providers:
  - openai:chat:gpt-4o
tests:
- description: Polite
  assert:
    - type: icontains
      value: dear
  prompts:
    - refund-reply`,
  },
}
