/** The columns of the table of models; where there is no room for them each row is a card. */
export const MODEL_COLUMNS =
  'gap-x-3 px-3.5 @min-[760px]:grid-cols-[minmax(92px,0.85fr)_minmax(150px,1.7fr)_minmax(120px,1.45fr)_56px_112px_88px_28px]'
