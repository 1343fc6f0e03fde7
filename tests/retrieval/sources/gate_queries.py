"""Queries written by hand, with the source each is for; the gate never sees them in training."""

from inforce.retrieval.sources.source import SourceName

QUERIES: dict[SourceName, str] = {
    "statute": """
刑法第二百六十四条怎么规定
盗窃罪的法定刑
2015年以前醉驾入刑的条文
劳动合同法关于经济补偿的规定
民法典里居住权是哪一条
刑事诉讼法对拘留期限的规定
公司法第一百四十七条董事的忠实义务
著作权的保护期有多长
累犯从重处罚的法律依据
未成年人犯罪可以从轻或者减轻处罚的条款
诈骗公私财物，数额特别巨大的，处何种刑罚
旧刑法第一百三十三条之一的原文
What does article 74 of the Criminal Law say about probation
text of the provision on joint crime in force in 2010
""",
    "guideline": """
湖南省诈骗罪数额较大的起点标准
自首可以减少基准刑多少
盗窃三千元的量刑起点是几个月
认罪认罚的调节比例
浙江省高级人民法院量刑实施细则 交通肇事
退赃退赔从宽的幅度
故意伤害致一人轻伤的起点刑
累犯应增加基准刑的百分之几
取得被害人谅解可减少多少刑罚
常见犯罪量刑指导意见 抢劫罪 基准刑
多个量刑情节如何同向相加逆向相减
河南数额巨大的标准 职务侵占
starting point of sentence for theft of 5,000 yuan
how many percent is the baseline reduced for a guilty plea
""",
    "precedent": """
有没有类似的电动车盗窃案怎么判的
外卖骑手工伤认定的典型案例
醉驾摩托车被判缓刑的案子
最高法指导性案例 见义勇为
网络主播与公司解除合同法院如何判决
因邻里纠纷持刀伤人判了几年
张某诉某公司竞业限制纠纷
加班费仲裁时效的裁判要旨
入户盗窃未遂类案
本院认为 防卫过当 故意伤害
帮助信息网络犯罪活动罪 判决书 银行卡 五张
法院对高空抛物致人死亡如何裁判
cases where the court found excessive self-defence
similar judgments on telephone fraud with repayment
""",
    "book": """
什么是犯罪构成要件
解释一下善意取得的概念
法律行为与事实行为的区别
刑法学上的结果加重犯是什么意思
公司法人格否认的理论基础
间接故意和过于自信的过失有什么不同
行政复议的特点有哪些
何谓除斥期间
简述罪刑法定原则的含义
不当得利制度的起源和学说
票据的无因性
物权和债权的分类
Explain the notion of adequate causation
what is the difference between limitation and preclusion
""",
    "interpretation": """
最高人民法院关于审理盗窃案件适用法律若干问题的解释
两高关于办理诈骗刑事案件的解释
民间借贷司法解释中的利率上限
最高法关于民法典时间效力的若干规定
刑诉法解释第几条规定了庭前会议
最高检的批复 非法经营
司法解释对信用卡诈骗恶意透支怎么认定
关于适用婚姻家庭编的解释（一）彩礼返还
最高人民法院关于人民法院执行中拍卖财产的规定
两高一部关于醉驾案件的意见
知识产权惩罚性赔偿的解释
减刑假释案件具体应用法律的规定
Supreme People's Court interpretation on private lending
judicial interpretation on bribery amounts
""",
    "document": """
我们签的租赁合同里押金怎么退
附件中的证人笔录
客户发来的邮件里提到的交货日期
本案卷宗里的鉴定意见
我上传的股东协议 优先购买权条款
公司内部规章制度关于请假的规定
文件夹里的起诉状 诉讼请求
去年签订的保密协议违约金
当事人提供的借条内容
会议纪要里谁负责整改
劳动者的工资条和考勤记录
本所备忘录 尽职调查
termination clause in our supply agreement
what does the client's letter of March say
""",
}
