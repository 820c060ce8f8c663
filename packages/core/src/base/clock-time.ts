/** Local time, formatted by hand: the first use of a locale costs 16 ms. The day is included if it is not today. */
export function clockTime(at: number, now: number): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  const time = `${two(date.getHours())}:${two(date.getMinutes())}`;
  const seconds = at - now < 120_000 ? `:${two(date.getSeconds())}` : '';
  const isToday = date.toDateString() === new Date(now).toDateString();
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} `;
  return `${isToday ? '' : day}${time}${seconds}`;
}
