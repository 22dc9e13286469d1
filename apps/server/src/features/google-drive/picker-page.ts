import { addressOf, DRIVE_SEARCH_MAX, type DriveStatus } from '@catenary/contracts'
import { escapeHtml } from '../../platform/http/html.ts'
import type { OwnPage } from '../../platform/http/own-page.ts'
import { connectHref, renderNotice } from './drive-notice.ts'
import { PICKER_STYLE } from './drive-page-style.ts'
import { PICKER_SCRIPT } from './picker-client.ts'

const TITLE = 'Choose a file from Google Drive'
const SKELETON_ROWS = 8

const FILE =
  '<path d="M15 2H6a2 2 0 0 0-2 2v16a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2V7Z"/><path d="M14 2v4a2 2 0 0 0 2 2h4"/>'
const ICONS = {
  document: `${FILE}<path d="M10 9H8"/><path d="M16 13H8"/><path d="M16 17H8"/>`,
  spreadsheet: `${FILE}<path d="M8 13h2"/><path d="M14 13h2"/><path d="M8 17h2"/><path d="M14 17h2"/>`,
  presentation:
    '<path d="M2 3h20"/><path d="M21 3v11a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V3"/><path d="m7 21 5-5 5 5"/>',
  text: `${FILE}<path d="m9 18 3-3-3-3"/>`,
  search: '<path d="m21 21-4.34-4.34"/><circle cx="11" cy="11" r="8"/>',
  alert: '<circle cx="12" cy="12" r="10"/><path d="M12 8v4"/><path d="M12 16h.01"/>',
}

export function renderPicker({ isSignedIn, status }: { isSignedIn: boolean; status: DriveStatus }): OwnPage {
  if (!isSignedIn) {
    const text = 'Log in to Catenary to choose a file from your Google Drive.'
    return renderNotice({ title: 'Please log in', text, actions: [{ label: 'Log In', href: '/auth' }] })
  }
  if (!status.configured) {
    const text = 'An administrator must set GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET, then restart Catenary.'
    return renderNotice({ title: 'Google Drive is not set up here', text })
  }
  if (!status.authenticated) {
    return renderNotice({
      title: 'Connect Google Drive',
      text: 'Google will ask whether Catenary may read your files. Catenary can’t change them, and you can disconnect it at any time.',
      actions: [
        { label: 'Connect', href: connectHref({ returnTo: addressOf('GET /api/google-drive/picker', {}) }) },
      ],
    })
  }
  return {
    title: TITLE,
    body: renderBody(status.email ?? ''),
    style: PICKER_STYLE,
    script: PICKER_SCRIPT,
  }
}

function renderBody(email: string): string {
  const symbols = Object.entries(ICONS).map(
    ([name, paths]) => `<symbol id="icon-${name}" viewBox="0 0 24 24">${paths}</symbol>`,
  )
  return `<svg hidden>${symbols.join('')}</svg>
<header>
<div class="title"><h1>Choose a file</h1><p title="${escapeHtml(email)}">${escapeHtml(email)}</p></div>
<search class="search">${icon('search')}<input id="search" type="search" aria-label="Search Google Drive" placeholder="Search Google Drive" autocomplete="off" autofocus maxlength="${DRIVE_SEARCH_MAX}"></search>
</header>
<main>
<ul id="files" aria-label="Files"></ul>
<ul id="skeleton" class="skeleton" aria-hidden="true">${'<li><i></i><i></i><i></i></li>'.repeat(SKELETON_ROWS)}</ul>
<div id="more" class="more" hidden><button id="more-button" type="button" class="button">Show more</button></div>
<div id="empty" class="notice" hidden><h2 id="empty-title"></h2><p id="empty-text"></p></div>
<div id="failure" class="notice" role="alert" hidden><div class="icon">${icon('alert')}</div><h2>Your files could not be loaded</h2><p id="failure-text"></p><div class="actions"><button id="retry" type="button" class="button">Try again</button></div></div>
<p id="status" class="sr-only" role="status"></p>
</main>
<template id="row"><li><button type="button" class="file"><svg aria-hidden="true"><use/></svg><span class="name"></span><span class="about"></span></button></li></template>`
}

function icon(name: keyof typeof ICONS): string {
  return `<svg aria-hidden="true"><use href="#icon-${name}"/></svg>`
}
