export { shareBrowser as default } from './browser.ts'
