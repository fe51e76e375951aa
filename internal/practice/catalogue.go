package practice

import "strconv"

// kind is a line of goods; every product is one of a line.
type kind struct{ name, category string }

var (
	kinds = []kind{
		{"华为 Mate 60 Pro", "手机通讯"}, {"小米 Redmi Note 13", "手机通讯"}, {"苹果 iPhone 15", "手机通讯"},
		{"联想 ThinkPad X1 Carbon", "电脑办公"}, {"罗技 MX Master 3S", "电脑办公"}, {"索尼 WH-1000XM5", "影音娱乐"},
		{"佳能 EOS R6 Mark II", "摄影摄像"}, {"大疆 DJI Mini 4", "摄影摄像"}, {"戴森 V12 Detect Slim", "家用电器"},
		{"美的 Midea 变频空调", "家用电器"}, {"任天堂 Nintendo Switch", "游戏设备"}, {"乐高 LEGO Technic", "玩具乐器"},
		{"飞利浦 Philips Sonicare", "个护健康"},
	}
	editions = []string{"旗舰版", "标准版 Basic", "青春版 Lite", "国行 全网通", "典藏版 Deluxe", "十周年纪念版", "Pro 专业套装"}
	colours  = []string{"曜金黑", "雪域白", "天际蓝", "Titanium 原色", "流光紫", "森野绿"}
	tagLists = [][]string{
		{"新品", "自营", "包邮"}, {"热卖", "7天无理由退货", "sale"}, {"限量", "gift", "以旧换新"},
		{"二手", "官方质检"}, {"new", "预售", "次日达", "12期免息"},
	}
)

// spread turns an id and a purpose into a number that looks random and never
// changes (the finaliser of splitmix64, Steele and others, OOPSLA 2014).
func spread(id int64, purpose uint64) uint64 {
	z := uint64(id) + purpose*0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

func pick(id int64, purpose uint64, n int) int { return int(spread(id, purpose) % uint64(n)) }

func kindOf(id int64) kind       { return kinds[pick(id, 1, len(kinds))] }
func tagsOf(id int64) []string   { return tagLists[pick(id, 2, len(tagLists))] }
func stock(id int64) int64       { return int64(pick(id, 3, 500)) }
func noRating(id int64) bool     { return id%25 == 0 }
func markedName(id int64) bool   { return id%5 == 3 }
func ratingTooBig(id int64) bool { return id%10 == 7 }

// appendName writes the name; lt and gt stand for < and >, which HTML has to
// write differently.
func appendName(b []byte, id int64, lt, gt string) []byte {
	b = append(b, kindOf(id).name...)
	b = append(b, ' ')
	if markedName(id) {
		b = append(b, lt...)
		b = append(b, "限时特价"...)
		b = append(b, gt...)
		b = append(b, ' ')
	}
	b = append(b, editions[pick(id, 4, len(editions))]...)
	b = append(b, ' ')
	b = append(b, colours[pick(id, 5, len(colours))]...)
	b = append(b, " 官方旗舰店正品 全国联保两年 货号 No."...)
	return strconv.AppendInt(b, id, 10)
}

// cents is the price in hundredths: a third of them like 7999.00, a third like
// 129.90, a third anything below 20000.
func cents(id int64) int64 {
	n := int64(spread(id, 6) % 2_000_000)
	switch n % 3 {
	case 0:
		return n/10_000*10_000 + 9_900
	case 1:
		return n/1_000*1_000 + 990
	}
	return n
}

func appendPrice(b []byte, id int64) []byte { return appendAmount(b, cents(id)) }

// appendAmount writes an amount in hundredths like 7999.00.
func appendAmount(b []byte, c int64) []byte {
	return appendTwo(append(strconv.AppendInt(b, c/100, 10), '.'), c%100)
}

func appendShown(b []byte, id int64) []byte { return appendGrouped(append(b, "¥"...), cents(id)) }

// appendGrouped writes an amount in hundredths, below a million whole ones, like 7,999.00.
func appendGrouped(b []byte, c int64) []byte {
	if whole := c / 100; whole < 1000 {
		b = strconv.AppendInt(b, whole, 10)
	} else {
		b = append(strconv.AppendInt(b, whole/1000, 10), ',')
		b = append(b, byte('0'+whole/100%10))
		b = appendTwo(b, whole%100)
	}
	return appendTwo(append(b, '.'), c%100)
}

func appendRating(b []byte, id int64) []byte {
	switch {
	case noRating(id):
		return b
	case ratingTooBig(id):
		return append(b, "5.37"...)
	}
	n := int64(pick(id, 7, 501))
	return appendTwo(append(strconv.AppendInt(b, n/100, 10), '.'), n%100)
}

func appendScore(b []byte, id int64) []byte {
	n := int64(pick(id, 8, 101))
	return append(strconv.AppendInt(b, n/10, 10), '.', byte('0'+n%10))
}

// appendUpdated writes a time in 2025 in China's zone.
func appendUpdated(b []byte, id int64) []byte {
	n := spread(id, 9)
	b = appendTwo(append(b, "2025-"...), int64(n%12)+1)
	b = appendTwo(append(b, '-'), int64(n>>8%28)+1)
	b = appendTwo(append(b, 'T'), int64(n>>16%24))
	b = appendTwo(append(b, ':'), int64(n>>24%60))
	b = appendTwo(append(b, ':'), int64(n>>32%60))
	return append(b, "+08:00"...)
}

func appendDetailPath(b []byte, id int64) []byte {
	return strconv.AppendInt(append(b, detailPrefix...), id, 10)
}

// appendTwo writes n, which is below 100, with two digits.
func appendTwo(b []byte, n int64) []byte { return append(b, byte('0'+n/10), byte('0'+n%10)) }
