/** The columns of the table of models; where there is no room for them each row is a card. */
export const MODEL_COLUMNS =
  'gap-x-3 px-3.5 @min-[760px]:grid-cols-[minmax(92px,1fr)_minmax(130px,1.6fr)_60px_118px_minmax(130px,2.2fr)_88px_28px]'
