import type { Page } from 'playwright-core'
import { fails, never, refusesAsStale } from './network.ts'
import type { State } from './state.ts'
import { button, inTurn, link, press, seen, submitEmpty, there } from './steps.ts'

const openBuilder = (page: Page) => page.getByRole('radio', { name: 'Advanced' }).click()

/** The dialogs of one prompt. */
export const promptStates: readonly State[] = [
  { name: 'prompt-view', who: 'guest', path: '/', opener: link('Welcome letter') },
  { name: 'prompt-missing', who: 'user', path: '/?prompt=999999', prepare: seen('Prompt Not Found') },
  { name: 'create-prompt', who: 'user', path: '/', opener: button('New prompt') },
  {
    name: 'create-prompt-errors',
    who: 'user',
    path: '/?prompt=new',
    prepare: submitEmpty('Create Prompt'),
  },
  {
    name: 'discard-changes',
    who: 'user',
    path: '/?prompt=new',
    prepare: (page) => page.getByLabel('Title').fill('A boat'),
    opener: button('Cancel'),
  },
  {
    name: 'draft-restored',
    who: 'user',
    path: '/?prompt=new',
    prepare: async (page) => {
      await page.getByLabel('Title').fill('A boat')
      await page.getByText('Draft kept on this device').waitFor()
      await page.reload()
      await page.getByText('Your unsaved draft is back.').waitFor()
    },
  },
  { name: 'edit-prompt', who: 'user', path: '/', opener: link('Meeting notes to tasks, mine') },
  {
    name: 'category-select',
    who: 'user',
    path: '/?prompt=:own',
    opener: (page) => page.getByRole('combobox', { name: 'Category' }),
  },
  {
    name: 'category-popover',
    who: 'user',
    path: '/?prompt=:own',
    opener: (page) => page.getByRole('dialog').getByRole('button', { name: 'Add Category' }),
  },
  {
    name: 'completions',
    who: 'user',
    path: '/?prompt=:own',
    prepare: async (page) => {
      await page.getByRole('textbox', { name: 'Content' }).click()
      await page.keyboard.press('Control+End')
      await page.keyboard.type(' $<vo')
      await page.getByRole('listbox').waitFor()
    },
  },
  {
    name: 'cache-hint',
    who: 'user',
    path: '/?prompt=:own',
    prepare: async (page) => {
      await page.getByRole('textbox', { name: 'Content' }).click()
      await page.keyboard.press('Control+End')
      await page.keyboard.insertText(`\n\n${'Name who does it, and until when. '.repeat(400)}`)
      await page.getByText(/tokens cacheable/).scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'edit-conflict',
    who: 'user',
    path: '/?prompt=:own',
    network: refusesAsStale,
    prepare: async (page) => {
      await page.getByLabel('Title').fill('Notes to tasks and owners')
      await press('Save Changes')(page)
      await page.getByRole('alert', { name: 'Conflicting changes' }).waitFor()
    },
  },
  {
    name: 'builder',
    who: 'user',
    path: '/?prompt=new',
    opener: (page) => page.getByRole('radio', { name: 'Advanced' }),
  },
  {
    name: 'builder-errors',
    who: 'user',
    path: '/?prompt=new',
    prepare: inTurn(openBuilder, submitEmpty('Generate Prompt')),
  },
  {
    name: 'prompt-builder',
    who: 'user',
    path: '/?prompt=new',
    prepare: inTurn(
      openBuilder,
      (page) => page.getByRole('textbox', { name: 'Core Task' }).fill('Review the change in $<diff>.'),
      press('Decision Confirmation'),
      there((page) => page.getByRole('textbox', { name: 'Text of the generated prompt' })),
    ),
  },
  {
    name: 'editor-new',
    who: 'user',
    path: '/edit/new',
    prepare: there((page) => page.getByRole('textbox', { name: 'Content' })),
  },
  {
    name: 'editor',
    who: 'user',
    path: '/edit/:fitting',
    prepare: there((page) => page.getByRole('textbox', { name: 'Content' })),
  },
  {
    name: 'editor-values',
    who: 'user',
    path: '/edit/:fitting?tab=run&sent=open',
    prepare: seen(/stays as written/),
  },
  {
    name: 'editor-run',
    who: 'admin',
    path: '/edit/:prompt?tab=run&sent=open',
    prepare: inTurn(press(/^Execute/), seen('Done')),
  },
  { name: 'editor-missing', who: 'user', path: '/edit/999999', prepare: seen('Prompt Not Found') },
  {
    name: 'editor-errors',
    who: 'user',
    path: '/edit/new',
    prepare: submitEmpty('Create Prompt'),
  },
  {
    name: 'editor-draft',
    who: 'user',
    path: '/edit/new',
    prepare: async (page) => {
      await page.getByLabel('Title').fill('A boat')
      await page.getByText('Draft kept on this device').waitFor()
      await page.reload()
      await page.getByText('Your unsaved draft is back.').waitFor()
    },
  },
  {
    name: 'editor-leave',
    who: 'user',
    path: '/edit/new',
    prepare: (page) => page.getByLabel('Title').fill('A boat'),
    opener: button('Back'),
  },
  { name: 'prompt-versions', who: 'user', path: '/?prompt=:own', opener: button('3 versions') },
  { name: 'versions-one', who: 'user', path: '/?prompt=:unrun', opener: button('1 version') },
  {
    name: 'versions-loading',
    who: 'user',
    path: '/?prompt=:own',
    network: never(/\/versions$/),
    opener: button('3 versions'),
  },
  {
    name: 'versions-error',
    who: 'user',
    path: '/?prompt=:own',
    network: fails(/\/versions$/),
    prepare: inTurn(press('3 versions'), seen('Try again')),
  },
  {
    name: 'version-select',
    who: 'user',
    path: '/?prompt=:own',
    prepare: inTurn(press('3 versions'), seen('Restore version 2')),
    opener: (page) => page.getByLabel(/^Compare version/),
  },
  {
    name: 'restore-version',
    who: 'user',
    path: '/?prompt=:own',
    prepare: press('3 versions'),
    opener: button('Restore version 2'),
  },
]
