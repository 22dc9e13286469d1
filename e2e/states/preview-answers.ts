import type { Page } from 'playwright-core'
import { type SeenChainRun, type StepPreview, stepPreview } from '../../packages/contracts/src/index.ts'

const DRAFT =
  'Dear Grace, welcome to Harbour & Sons. The first thing to know is where the keys hang: in the office, behind the tide table.'

/** Step 2 of the letter’s chain with what an earlier run drafted. */
export const preview: StepPreview = {
  executionId: null,
  position: 1,
  kind: 'prompt',
  title: 'Shorten it',
  model: 'claude',
  ...{ promptId: null, promptLabel: null, promptVersion: null },
  outputVariableName: 'letter',
  inputContent: `Shorten ${DRAFT}`,
  inputSegments: [{ start: 8, end: 8 + DRAFT.length, kind: 'output', name: 'draft' }],
  resolved: {},
  attachments: [],
  systemPrompt: '',
  ...{ missing: [], withheld: [] },
  ...{ condition: null, items: null, problem: null },
  inputTokens: 34,
}

/** What of it has no value, what is kept back, and what nobody here wrote. */
export const previewGaps: StepPreview = {
  ...preview,
  inputContent: `Shorten ${DRAFT} for $<client>, as {{tone}} as $<a_name_of_fifty_letters_is_as_long_as_it_can_be_x> says.`,
  missing: ['tone', 'a_name_of_fifty_letters_is_as_long_as_it_can_be_x'],
  withheld: ['client'],
  fromOutside: ['draft', 'input'],
}

export const previewSkipped: StepPreview = {
  ...preview,
  condition: { text: 'draft contains zeppelin', holds: false, problem: null },
}

export const previewUnreadable: StepPreview = {
  ...preview,
  inputContent: null,
  inputSegments: [],
  inputTokens: null,
  condition: { text: 'draft > 20', holds: null, problem: 'draft is “Dear Grace, …”, which is not a number' },
  problem: 'draft is “Dear Grace, …”, which is not a number',
}

const ITEM = 'الإنارة عند الرصيف الشمالي مطفأة منذ ثلاثة أيام'

/** Of a step that goes through a list, the first item. */
export const previewItem: StepPreview = {
  ...preview,
  title: 'Answer each mail',
  inputContent: `Answer in two lines: ${ITEM}`,
  inputSegments: [{ start: 21, end: 21 + ITEM.length, kind: 'output', name: 'mail' }],
  items: { count: 24, first: ITEM, problem: null },
}

export const previewTooMany: StepPreview = {
  ...previewItem,
  items: { count: 240, first: ITEM, problem: 'draft has 240 items, and the step runs for at most 200' },
  problem: 'draft has 240 items, and the step runs for at most 200',
}

export const previewAsk: StepPreview = {
  ...preview,
  kind: 'ask',
  title: 'Approve the letter',
  model: null,
  outputVariableName: 'approved',
  inputContent: `This is the letter:\n\n${DRAFT}`,
  inputSegments: [{ start: 21, end: 21 + DRAFT.length, kind: 'output', name: 'draft' }],
  inputTokens: null,
}

const LONG = `${'Wet'.repeat(90)} ${DRAFT} `.repeat(90)
const ARABIC = 'اختصر الرسالة في ثلاثة أسطر، واذكر مكان المفاتيح وموعد المدّ. '

/** A text that is longer than what is drawn, in two directions, with everything that a step can send. */
export const previewLong: StepPreview = {
  ...preview,
  inputContent: ARABIC + LONG,
  inputSegments: [{ start: ARABIC.length, end: ARABIC.length + LONG.length, kind: 'output', name: 'draft' }],
  systemPrompt: `${ARABIC}\n\nKeep every number as it stands.`,
  messages: [
    { role: 'user', content: 'Shorten it.' },
    { role: 'assistant', content: ARABIC },
  ],
  settings: { effort: 'low', temperature: 0.4, maxTokens: 1200 },
  attachments: [
    {
      name: 'terms_pdf',
      fileId: 7,
      fileName: 'the-terms-of-the-harbour-as-they-were-agreed-upon-in-the-year-before-last.pdf',
      mediaType: 'application/pdf',
      ...{ width: null, height: null },
      bytes: 120_000,
    },
  ],
  fromOutside: Array.from({ length: 12 }, (_, index) => `name_from_outside_number_${index + 1}`),
  inputTokens: 10_412,
}

/** A step is previewed as this, with the values of the run that is asked for or of the newest. */
export const previews = (answer: StepPreview) => (page: Page) =>
  page.route(/\/steps\/\d+\/preview$/, async (route) => {
    const { executionId } = route.request().postDataJSON() ?? {}
    const list = new URL(
      route
        .request()
        .url()
        .replace(/\/steps\/.*/, '/executions'),
    )
    const runs: SeenChainRun[] = executionId ? [] : await (await page.request.get(list.href)).json()
    const reply = { ...answer, executionId: executionId ?? runs[0]?.id ?? null }
    await route.fulfill({ json: stepPreview.parse(reply) })
  })
